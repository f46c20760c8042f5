"""Awkward messages, built the way mail programs and mail servers build them."""

from . import machines, programs, wrapped

CASES = [*programs.all_cases(), *wrapped.all_cases(), *machines.all_cases()]
