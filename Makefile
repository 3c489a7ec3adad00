# The stages of a build and the files that they exchange. `make build` and `make test` work in a fresh clone: both create .venv.
#
#   make build                                  build the datasets: build/zh, build/en, build/release, build/MANIFEST.json
#   make build COLLECTION=n SOURCE=f FORMAT=t   build another collection into build/n  [LANGUAGE=zh] [EXCLUDE_FLAGS=--by-sentence]
#   make test                                   run the tests
#   make check                                  run ruff and mypy
#   make overlap                                check that no sentence of ours occurs in a published collection
#   make parse                                  parse new and changed sentences into the parse locks; CHECK=1 only compares
#   make parser-model                           train the compact Stanza model again
#   make fetch-wikipedia [DATE=20261101]        download a dump of the Chinese Wikipedia into corpora/  [WIKI=zhwiki]
#   make pmi CORPUS=f CORPUS_FORMAT=t           answer the schemas by word association in your corpus, into build/pmi
#   make labelstudio                            start a local Label Studio server
#   make annotate-demo                          put ten sentences on that server, to try labelling; REPORT=1 shows the result
#   make bench-pmi                              measure how fast windows are counted, compared with the paper's tools and NLTK
#   make bench-validate                         measure how the time of a suite grows with the number of items
#   make clean                                  delete what was built, but not build/README.md and build/MANIFEST.json

MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.SUFFIXES:

PYTHON ?= python3
V := .venv
LABEL_STUDIO := .venv-labelstudio
WINOFORGE := $(V)/bin/winoforge
PIP := $(V)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

COLLECTION ?= zh
SOURCE ?= raw/$(COLLECTION)/schemas.yaml
FORMAT ?= schema-yaml
LANGUAGE ?=
B := build/$(COLLECTION)
RAW := raw/$(COLLECTION)

CODE := $(shell find pipeline -name '*.py' -o -name '*.j2')
KNOWLEDGE := $(shell find rules -name '*.yaml')
TARGETS := $(wildcard $(RAW)/targets.tsv)
GOLD := $(wildcard $(RAW)/gold.tsv)
MODIFICATIONS := $(wildcard $(RAW)/modifications.yaml)
# A format that prints its sentences in words has them for corrections; else those made by hand, if there are any.
PRINTED := $(if $(filter pws-tsv,$(FORMAT)),$(if $(filter-out zh,$(LANGUAGE)),,$(B)/tokens.tsv))
TOKENS := $(or $(PRINTED),$(wildcard $(RAW)/tokens.tsv))
NAMES ?= $(if $(filter zh,$(COLLECTION)),western,chinese)
# Only what we release must be valid: a published collection has its defects.
VALID := $(if $(wildcard $(RAW)/schemas.yaml),$(B)/.items-valid)
# Our own format holds the authors' analyses too.
ANALYSIS := $(if $(filter schema-yaml,$(FORMAT)),$(B)/analysis.jsonl)
TERMS := $(ANALYSIS:%analysis.jsonl=%terms.txt)
# What people decided about our own collection.
DECISIONS := $(if $(filter zh,$(COLLECTION)),annotation/decisions.tsv)
LEDGERS := $(addprefix $(B)/,decisions.jsonl modifications.jsonl adjudications.jsonl)

# A collection of raw/ commits its trees; any other is parsed by UDPipe into its build folder.
ifeq ($(wildcard $(RAW)/schemas.yaml),)
LOCKS := $(B)/parses/udpipe.conllu
else
LOCKS := $(RAW)/parses/udpipe.conllu $(RAW)/parses/stanza.conllu
endif

.PHONY: build test check overlap parse parser-model labelstudio annotate-demo pmi fetch-wikipedia bench-pmi bench-validate clean

ifeq ($(COLLECTION),zh)
build: build/MANIFEST.json build/zh/association/index.html build/zh/zero-before.jsonl
else
build: $(B)/audit/index.html $(B)/zero.jsonl $(B)/variants/differences.tsv
endif

# --- the environment -------------------------------------------------------------------------------------------------

$(V)/base: pyproject.toml constraints.txt
	test -x $(V)/bin/python || $(PYTHON) -m venv $(V)
	$(PIP) --editable .
	touch $@

$(V)/parse: $(V)/base
	$(PIP) --editable '.[parse]'
	touch $@

$(V)/annotate: $(V)/base
	$(PIP) --editable '.[annotate]'
	touch $@

$(V)/dev: $(V)/base
	$(PIP) --editable '.[parse,stanza,train,figures,coref,corpus,spark,annotate,dev]'
	touch $@

# --- the stages of one collection ------------------------------------------------------------------------------------

$(B)/items.jsonl $(B)/skipped.jsonl $(PRINTED) $(ANALYSIS) $(TERMS) &: $(SOURCE) $(TARGETS) $(CODE) $(KNOWLEDGE) | $(V)/base
	$(WINOFORGE) ingest $(SOURCE) --format $(FORMAT) $(if $(LANGUAGE),--lang $(LANGUAGE)) $(if $(TARGETS),--targets $(TARGETS)) \
	  $(PRINTED:%=--tokens %) $(ANALYSIS:%=--analysis %) $(TERMS:%=--terms %) --out $(B)/items.jsonl --skipped $(B)/skipped.jsonl

# Items are validated before anything is derived from them, and derived files before they are released.
$(B)/.items-valid: $(B)/items.jsonl $(B)/skipped.jsonl
	$(WINOFORGE) validate skipped $(B)/skipped.jsonl
	$(WINOFORGE) validate items,pairs $(B)/items.jsonl
	touch $@

$(B)/parses/udpipe.conllu: $(B)/items.jsonl $(MODIFICATIONS) | $(V)/parse
	$(WINOFORGE) parse $< --backend udpipe --lock $@ $(MODIFICATIONS:%=--modifications %)

$(B)/kept.jsonl $(B)/rejected.jsonl $(B)/decisions.jsonl &: $(B)/items.jsonl $(B)/skipped.jsonl $(LOCKS) $(CODE) $(KNOWLEDGE) $(VALID) | $(V)/base
	$(WINOFORGE) exclude $(B)/items.jsonl --skipped $(B)/skipped.jsonl $(LOCKS:%=--parses %) \
	  --kept $(B)/kept.jsonl --rejected $(B)/rejected.jsonl --decisions $(B)/decisions.jsonl $(EXCLUDE_FLAGS)

# A collection without modifications, or without decisions of people, goes through these stages unchanged.
$(B)/modified.jsonl $(B)/modified-rejected.jsonl $(B)/modifications.jsonl &: $(B)/kept.jsonl $(B)/rejected.jsonl $(MODIFICATIONS) $(LOCKS) $(CODE) $(KNOWLEDGE) | $(V)/base
	$(WINOFORGE) modify $(B)/kept.jsonl --rejected $(B)/rejected.jsonl $(MODIFICATIONS:%=--modifications %) $(LOCKS:%=--parses %) \
	  --out $(B)/modified.jsonl --rejected-out $(B)/modified-rejected.jsonl --ledger $(B)/modifications.jsonl

$(B)/adjudicated.jsonl $(B)/adjudicated-rejected.jsonl $(B)/adjudications.jsonl &: $(B)/modified.jsonl $(B)/modified-rejected.jsonl $(DECISIONS) $(CODE) $(KNOWLEDGE) | $(V)/base
	$(WINOFORGE) annotate apply $(B)/modified.jsonl --rejected $(B)/modified-rejected.jsonl $(DECISIONS:%=--decisions %) \
	  --out $(B)/adjudicated.jsonl --rejected-out $(B)/adjudicated-rejected.jsonl --ledger $(B)/adjudications.jsonl \
	  $(filter --by-sentence,$(EXCLUDE_FLAGS))

# The zero forms that studies ask about, before people decide anything.
$(B)/zero-before.jsonl: $(B)/modified.jsonl $(CODE) | $(V)/base
	$(WINOFORGE) zero $< --out $@

$(B)/zero.jsonl: $(B)/adjudicated.jsonl $(CODE) | $(V)/base
	$(WINOFORGE) zero $< --out $@

$(B)/variants/differences.tsv: $(B)/adjudicated.jsonl $(TOKENS) $(ANALYSIS) $(CODE) $(KNOWLEDGE) | $(V)/base
	$(WINOFORGE) variants $< --out $(B)/variants --names $(NAMES) $(TOKENS:%=--tokens % --collection $(B)/items.jsonl) \
	  $(ANALYSIS:%=--analysis %)

$(B)/audit/index.html $(B)/audit/audit.tsv &: $(B)/items.jsonl $(B)/skipped.jsonl $(B)/rejected.jsonl $(LEDGERS) $(ANALYSIS) $(LOCKS) $(GOLD) $(CODE) $(KNOWLEDGE) | $(V)/base
	$(WINOFORGE) audit --name $(COLLECTION) --items $(B)/items.jsonl --skipped $(B)/skipped.jsonl \
	  --rejected $(B)/rejected.jsonl --decisions $(B)/decisions.jsonl $(LOCKS:%=--parses %) $(GOLD:%=--gold %) \
	  $(ANALYSIS:%=--analysis %) --modifications $(B)/modifications.jsonl --adjudications $(B)/adjudications.jsonl --out $(B)/audit

# What a release reads; `variants` writes differences.tsv after the derived forms.
RELEASED := $(ANALYSIS) $(addprefix $(B)/,items.jsonl skipped.jsonl rejected.jsonl decisions.jsonl modifications.jsonl \
  adjudicated-rejected.jsonl adjudications.jsonl zero.jsonl variants/differences.tsv)

build/release/$(COLLECTION)/SHA256SUMS: build/.valid $(RELEASED) $(SOURCE) raw/SOURCES.toml $(wildcard raw/licences/*) $(CODE) $(KNOWLEDGE) | $(V)/base
	$(WINOFORGE) release $(B)

build/MANIFEST.json: build/release/zh/SHA256SUMS build/release/en/SHA256SUMS build/zh/audit/index.html $(LOCKS)
	$(WINOFORGE) validate releases build/release/zh build/release/en
	$(WINOFORGE) manifest build/release $(LOCKS:%=--parses %) --out $@

# --- word association ----------------------------------------------------------------------------------------------------

WINDOW ?= 10
CORPUS ?= raw/prose/articles.txt
CORPUS_FORMAT ?= text
CORPUS_FLAGS ?=
CORPUS_NAME ?= $(if $(filter raw/prose/articles.txt,$(CORPUS)),Ninety short articles of our own; figures from them mean nothing about Wikipedia.,$(CORPUS))

build/zh/association/counts.jsonl: raw/prose/articles.txt build/zh/terms.txt $(CODE) | $(V)/base
	$(WINOFORGE) corpus count raw/prose/articles.txt --format text --terms build/zh/terms.txt --window $(WINDOW) --out $@

build/zh/association/index.html: build/zh/items.jsonl build/zh/analysis.jsonl build/zh/association/counts.jsonl $(CODE) | $(V)/base
	$(WINOFORGE) pmi build/zh/items.jsonl --terms build/zh/analysis.jsonl --counts build/zh/association/counts.jsonl \
	  --out build/zh/association/pmi.jsonl --report $@ --corpus "$(CORPUS_NAME)"

pmi: build/zh/terms.txt build/zh/items.jsonl $(V)/dev
	$(WINOFORGE) corpus count $(CORPUS) --format $(CORPUS_FORMAT) --terms build/zh/terms.txt --window $(WINDOW) --backend fast \
	  $(if $(findstring spark,$(CORPUS_FLAGS)),,--resume build/pmi/state) $(CORPUS_FLAGS) --out build/pmi/counts.jsonl
	$(WINOFORGE) validate counts build/pmi/counts.jsonl
	$(WINOFORGE) pmi build/zh/items.jsonl --terms build/zh/analysis.jsonl --counts build/pmi/counts.jsonl \
	  --out build/pmi/pmi.jsonl --report build/pmi/index.html --corpus "$(CORPUS_NAME)"
	$(WINOFORGE) validate pmi build/pmi/pmi.jsonl

WIKI ?= zhwiki
DATE ?= 20261101

fetch-wikipedia: $(V)/dev
	$(WINOFORGE) corpus fetch $(WIKI) $(DATE) --out corpora/$(WIKI) $(FETCH_FLAGS)

# --- English templates -------------------------------------------------------------------------------------------------

ENGLISH := $(foreach form,double single,build/en/$(form).tsv build/en/$(form).jsonl)

$(ENGLISH) &: raw/en/templates.yaml $(CODE) $(KNOWLEDGE) | $(V)/base
	$(WINOFORGE) winopron check $<
	$(WINOFORGE) instantiate $< --out build/en

build/.valid: $(B)/zero.jsonl $(B)/variants/differences.tsv $(ENGLISH) build/zh/association/index.html
	$(WINOFORGE) validate build $(B) build/en --docs build/validation
	touch $@

build/release/en/SHA256SUMS: build/.valid $(ENGLISH) raw/en/templates.yaml raw/SOURCES.toml $(wildcard raw/licences/*) $(CODE) | $(V)/base
	$(WINOFORGE) release build/en

# --- annotation --------------------------------------------------------------------------------------------------------

$(LABEL_STUDIO)/installed: constraints-labelstudio.txt
	test -x $(LABEL_STUDIO)/bin/python || $(PYTHON) -m venv $(LABEL_STUDIO)
	$(LABEL_STUDIO)/bin/python -m pip install --quiet --disable-pip-version-check --constraint $< label-studio
	touch $@

labelstudio: $(V)/annotate $(LABEL_STUDIO)/installed
	$(V)/bin/python -m tools.labelstudio

annotate-demo: $(V)/annotate build/zh/zero.jsonl
	$(V)/bin/python -m tools.annotate_demo $(if $(REPORT),--report)

# --- parses and models -----------------------------------------------------------------------------------------------

parse: $(B)/items.jsonl $(V)/dev
	$(WINOFORGE) parse $< $(MODIFICATIONS:%=--modifications %) --backend udpipe --lock $(RAW)/parses/udpipe.conllu $(if $(CHECK),--check)
	$(WINOFORGE) parse $< $(MODIFICATIONS:%=--modifications %) --backend stanza --lock $(RAW)/parses/stanza.conllu $(if $(CHECK),--check)
	$(V)/bin/python -m tests.support.answer_keys $(if $(CHECK),--check)

parser-model: $(V)/dev
	$(V)/bin/python tools/train_parser.py --work build/parser-model

# --- development -----------------------------------------------------------------------------------------------------

test: $(V)/dev $(LABEL_STUDIO)/installed
	$(V)/bin/python -m pytest --numprocesses 3 --dist loadscope --no-loadscope-reorder --durations 10

check: $(V)/dev
	$(V)/bin/ruff check .
	$(V)/bin/ruff format --check .
	$(V)/bin/mypy

overlap: $(V)/dev
	$(V)/bin/python tools/overlap.py raw/zh/schemas.yaml --modifications raw/zh/modifications.yaml \
	  --templates raw/en/templates.yaml --prose raw/prose/articles.txt

bench-pmi: $(V)/dev
	$(V)/bin/python tools/bench_pmi.py table $(BENCH_FLAGS)

bench-validate: $(V)/dev build/zh/items.jsonl
	$(V)/bin/python tools/bench_validate.py

clean:
	rm -rf $(filter-out build/README.md build/MANIFEST.json,$(wildcard build/*))
