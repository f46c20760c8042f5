# Every target sets up what it needs; see README.md for the same commands without make.


.PHONY: year test bench soak pythons mail golden messages clean

year:             ## play the recorded year 1455 and list its reports
	bash campaigns/play-1455

test:             ## run the tests
	bash tests/run

bench:            ## measure speed and memory; prints a table with the aims and writes build/bench.md
	bash -c '. .ci/setup bench && python -m tests.bench'

soak:             ## the slow tests: hostile order files by the ten thousand
	SOAK_FILES=30000 bash tests/run -n auto tests/test_hostile.py

pythons:          ## replay the recorded campaigns with every Python that this machine offers
	bash tests/pythons

mail:             ## show a mail round on loopback: a mailbox, a mail server, two players
	@bash -c '. .ci/setup test && python -m tests.mail.round'

golden:           ## write the recorded campaigns' hashes anew: read the diff before you commit it
	bash -c '. .ci/setup test && python -m tests.golden'

messages:         ## collect the texts that can be translated
	bash -c '. .ci/setup test && pybabel -q extract -F babel.cfg -k _ -k N_ -k ngettext:1,2 --no-location --omit-header --sort-output -o adjudicator/locale/adjudicator.pot .'

clean:            ## take away what the commands above have made
	rm -rf .venv played build .pytest_cache .hypothesis
