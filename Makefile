# The whole way from a clone to a running Précis:  make run
# Needs Python 3.11 or newer and make; everything else goes into .venv, data into var.
.POSIX:

VENV = .venv
PY = $(VENV)/bin/python
ARGS =
COMPILE = $(PY) -m piptools compile --quiet --strip-extras --no-emit-index-url \
	--no-emit-find-links --no-emit-trusted-host

help:
	@echo "make run              start Précis on this computer      (ARGS='--port 8001' for another port)"
	@echo "make test             what a change needs: on SQLite, and what can differ on PostgreSQL, too (ARGS='-k rating' for some of it)"
	@echo "make test-all         what CI runs: what takes long, too (ARGS=--tier=3: each test there is, on both databases)"
	@echo "make hunt             look for failures with many drawn examples, others each time (ARGS='--seed=1' for the same again)"
	@echo "make test-flaky       run the tests 20 times, each time differently, and name those that fail by chance"
	@echo "make deploy-check     run the commands of docs/deployment.md on a throw-away server, and use the site (root, Linux)"
	@echo "make audit            ask whether weaknesses are known of the packages that are pinned"
	@echo "make packages         build the packages for PyPI into dist, and try each in a bare environment (ARGS=--no-app: without the app)"
	@echo "make sbom             write what Précis is made of, in CycloneDX's JSON"
	@echo "make lint             style, types, templates, layers, missing migrations"
	@echo "make mutants          make mistakes on purpose, one at a time, and see whether the tests notice (ARGS='--area claims')"
	@echo "make faults           kill processes, fill disks and take Redis away, and see what people lose (as root, on Linux)"
	@echo "make architecture     draw the picture of the rooms in docs/images again"
	@echo "make docs             build the documents as a site, with the reference of measures, in build/docs"
	@echo "make screenshots      take the pictures of the README and the docs again (needs Chromium; ARGS='--sheet': every page on one sheet)"
	@echo "make messages         collect the words of participants' pages for translators, and compile what they wrote (ARGS='--check')"
	@echo "make openapi          write the description of the API, docs/openapi.json, and the client's answers again"
	@echo "make bench-claims     measure how fast work is handed out to many people at once"
	@echo "make bench-editor     measure what the editing page weighs, and how quick it is to type in"
	@echo "make bench-release    measure how fast a corpus of the paper's size is judged and published, and in how much memory"
	@echo "make bench-agreement  measure what agreement costs, beside plain loops"
	@echo "make bench-spans      measure what agreement of people who mark spans costs, beside krippendorff"
	@echo "make bench-dawid-skene measure what the model of Dawid and Skene costs, beside crowd-kit"
	@echo "make bench-coverage   simulate how often the intervals of the agreement report hold the true value"
	@echo "make bench-metric-coverage simulate how often the intervals of the evaluation report hold the true value"
	@echo "make bench-scale-coverage simulate how often the intervals of comparisons of scales, rankings and points hold the true value"
	@echo "make bench-mixed-model simulate how often the mixed model finds an effect of an operation that has none"
	@echo "make bench-quiz       measure what the numbers of a quiz study cost, and how often their intervals hold the true value"
	@echo "make bench-communities measure what dividing graphs of sentences into communities costs (ARGS='--copies 20'), and how far intervals hold (ARGS='--coverage 100')"
	@echo "make bench-quality    simulate how well the worker filter finds careless people"
	@echo "make bench-provenance simulate what the evidence of how texts came to be finds among honest people and cheats"
	@echo "make bench-raters     simulate what the flags of raters find among honest people and cheats in one visit"
	@echo "make bench-metrics    measure what the eighty metrics cost, beside other libraries"
	@echo "make bench-alignment  measure what aligning the words of 26,000 texts costs, beside a plain aligner"
	@echo "make bench-evaluation measure what holding metrics against ratings costs, beside plain loops, and the whole report"
	@echo "make bench-staff      measure what the pages of staff take on a campaign of 100,000 texts"
	@echo "make bench-load       measure how long participants wait while an import, a release and its reports are made"
	@echo "make bench-worst      measure what the worst texts and logs cost that anybody may send"
	@echo "make migrate-under-load upgrade an installation of the last release while people work in it, and say how it went"
	@echo "make requirements     pin the newest versions of all packages"
	@echo "make clean            remove .venv and caches, never the data in var"

run: $(VENV)/.run
	@$(PY) manage.py start $(ARGS)

test: $(VENV)/.dev
	@$(PY) scripts/run_tests.py $(ARGS)

test-all: $(VENV)/.dev
	@$(PY) scripts/run_tests.py --all $(ARGS)

hunt: $(VENV)/.dev
	@$(PY) scripts/run_tests.py --hunt $(ARGS)

test-flaky: $(VENV)/.dev
	@$(PY) scripts/find_flaky.py $(ARGS)

deploy-check: $(VENV)/.dev
	@$(PY) scripts/deploy_as_documented.py $(ARGS)

audit: $(VENV)/.dev
	@$(PY) scripts/audit.py $(ARGS)

sbom: $(VENV)/.dev
	@$(PY) scripts/sbom.py $(ARGS)

packages: $(VENV)/.dev
	@$(PY) scripts/try_packages.py $(ARGS)

lint: $(VENV)/.dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(VENV)/bin/lint-imports
	$(PY) -m djlint --check --lint templates
	$(PY) -m yamllint --strict .
	$(VENV)/bin/shellcheck .ci/run scripts/*.sh deploy/precis-manage
	DATABASE_URL=sqlite:///:memory: $(PY) manage.py makemigrations --check --dry-run

mutants: $(VENV)/.dev
	@$(PY) scripts/mutants.py $(ARGS)

faults: $(VENV)/.dev
	@$(PY) scripts/stage_faults.py $(ARGS)

architecture: $(VENV)/.dev
	$(PY) scripts/draw_architecture.py

screenshots: $(VENV)/.dev
	$(PY) scripts/screenshots.py $(ARGS)

docs: $(VENV)/.dev
	$(VENV)/bin/sphinx-build -q -c docs -b html . build/docs
	@echo "build/docs/docs/index.html"

messages: $(VENV)/.dev
	$(PY) scripts/messages.py $(ARGS)

openapi: $(VENV)/.dev
	WRITE_API_EXAMPLES=1 $(PY) -m pytest -q -n0 tests/flows/test_api_examples.py -k fields
	$(PY) manage.py write_openapi docs/openapi.json
	$(PY) scripts/write_client_answers.py

bench-claims: $(VENV)/.dev
	$(PY) benchmarks/claims.py $(ARGS)

bench-editor: $(VENV)/.dev
	$(PY) benchmarks/editor_page.py $(ARGS)

bench-release: $(VENV)/.dev
	$(PY) benchmarks/release.py $(ARGS)

bench-agreement: $(VENV)/.dev
	$(PY) benchmarks/agreement.py $(ARGS)

bench-spans: $(VENV)/.dev
	$(PY) benchmarks/spans.py $(ARGS)

bench-dawid-skene: $(VENV)/.dev
	$(PY) benchmarks/dawid_skene.py $(ARGS)

bench-coverage: $(VENV)/.dev
	$(PY) benchmarks/coverage.py $(ARGS)

bench-metric-coverage: $(VENV)/.dev
	$(PY) benchmarks/evaluation_coverage.py $(ARGS)

bench-scale-coverage: $(VENV)/.dev
	$(PY) benchmarks/scale_coverage.py $(ARGS)

bench-mixed-model: $(VENV)/.dev
	@OPENBLAS_NUM_THREADS=1 $(PY) benchmarks/mixed_model.py $(ARGS)

bench-communities: $(VENV)/.dev
	$(PY) benchmarks/communities.py $(ARGS)

bench-provenance: $(VENV)/.dev
	$(PY) benchmarks/provenance.py $(ARGS)

bench-raters: $(VENV)/.dev
	$(PY) benchmarks/raters.py $(ARGS)

bench-quiz: $(VENV)/.dev
	@OPENBLAS_NUM_THREADS=1 $(PY) benchmarks/quiz.py $(ARGS)

bench-quality: $(VENV)/.dev
	$(PY) benchmarks/quality_simulation.py $(ARGS)

bench-metrics: $(VENV)/.dev
	$(PY) benchmarks/metrics.py $(ARGS)

bench-evaluation: $(VENV)/.dev
	@OPENBLAS_NUM_THREADS=1 $(PY) benchmarks/meta_evaluation.py $(ARGS)
	@OPENBLAS_NUM_THREADS=1 $(PY) benchmarks/evaluation_report.py $(ARGS)

bench-alignment: $(VENV)/.dev
	$(PY) benchmarks/alignment.py $(ARGS)

bench-staff: $(VENV)/.dev
	$(PY) benchmarks/staff_pages.py $(ARGS)

bench-load: $(VENV)/.dev
	$(PY) benchmarks/under_load.py $(ARGS)

bench-worst: $(VENV)/.dev
	$(PY) benchmarks/worst_inputs.py $(ARGS)

migrate-under-load: $(VENV)/.dev
	$(PY) scripts/migrate_under_load.py $(ARGS)

requirements: $(VENV)/.dev
	@sh scripts/install.sh $(VENV) pip-tools
	$(COMPILE) --upgrade --generate-hashes --allow-unsafe --extra=errors --extra=parquet --extra=s3 --output-file=requirements.txt pyproject.toml
	$(COMPILE) --upgrade --allow-unsafe --constraint=requirements.txt --extra=errors --extra=parquet --extra=s3 --extra=dev --output-file=requirements-dev.txt pyproject.toml

clean:
	rm -rf $(VENV) node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache staticfiles
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Stamps: packages are installed again only when the pinned versions have changed.
$(VENV)/.run: requirements.txt
	@sh scripts/install.sh $(VENV) requirements.txt
	@touch $@

$(VENV)/.dev: requirements.txt requirements-dev.txt
	@sh scripts/install.sh $(VENV) requirements-dev.txt
	@touch $@ $(VENV)/.run

.PHONY: help run test test-all hunt test-flaky deploy-check lint audit sbom packages mutants faults architecture screenshots docs \
	migrate-under-load messages openapi requirements clean \
	bench-claims bench-editor bench-release bench-agreement bench-spans bench-dawid-skene bench-coverage bench-metric-coverage bench-scale-coverage bench-mixed-model bench-quiz bench-communities bench-quality bench-provenance bench-raters \
	bench-metrics bench-alignment bench-evaluation bench-staff bench-load bench-worst
