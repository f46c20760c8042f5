def report(view, events, desk): raise NotImplementedError
