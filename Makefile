# The stages of a build and the files that they exchange. `make help` lists the targets; `make build` and `make test` work in a fresh clone.

MAKEFLAGS += --no-builtin-rules
.DELETE_ON_ERROR:
# Where Python may not keep what it compiles, as in many containers, each command would spend most of its time on compiling libraries.
export PYTHONDONTWRITEBYTECODE :=
$(if $(filter 1,$(V)),,.SILENT):

PYTHON ?= python3
# The commands of a make share a process, which is in this environment.
export VENV := .venv
WINOFORGE := tools/winoforge
export MAKE_PROCESS := $(shell echo $$PPID)

# --- the collection --------------------------------------------------------------------------------------------------
COLLECTION ?= zh
SOURCE ?= raw/$(COLLECTION)/schemas.yaml
FORMAT ?= schema-yaml
B := build/$(COLLECTION)
ASKED := $(B)/.asked
RAW := raw/$(COLLECTION)
# The schemas of a collection that we write ourselves.
OURS := $(wildcard $(RAW)/schemas.yaml)
# Ours is in the language that it is named after; ingest takes a file for Chinese unless told otherwise.
LANGUAGE ?= $(if $(OURS),$(filter-out zh,$(COLLECTION)))
# The first parser decides: ours has those of its committed trees. Stanza is right more often, but brings torch: others have UDPipe unless asked.
PARSERS ?= $(or $(if $(OURS),$(sort $(basename $(notdir $(wildcard $(RAW)/parses/*.conllu))))),udpipe)

# What cannot be built is refused before anything is written. START is FORCE if the releases are not what the manifest says.
quoted = '$(subst ','\'',$(1))'
CHECKED := COLLECTION SOURCE FORMAT LANGUAGE PATCHES PARSERS EXCLUDE_FLAGS MAKECMDGOALS MAKE_VERSION
COMMAND_LINE := $(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),$(call quoted,$(name))))
START := $(shell $(PYTHON) tools/make_checks.py $(foreach name,$(CHECKED),$(call quoted,$(name)=$($(name)))) $(COMMAND_LINE))
$(if $(filter 0,$(.SHELLSTATUS)),,$(error $(or $(START),PYTHON: cannot run; found '$(PYTHON)', expected Python 3.11 or later)))

LOCKS := $(PARSERS:%=$(if $(OURS),$(RAW),$(B))/parses/%.conllu)
MODIFICATIONS := $(wildcard $(RAW)/modifications.yaml)
# What patches repair is judged anew; the second table replaces rows of the first.
GOLD := $(wildcard $(RAW)/gold.tsv $(if $(PATCHES),$(RAW)/gold-patched.tsv))
# A format that prints its sentences in words has them for corrections; else those made by hand, if there are any.
PRINTED := $(if $(filter pws-tsv,$(FORMAT)),$(if $(filter-out zh,$(LANGUAGE)),,$(B)/tokens.tsv))
TOKENS := $(or $(PRINTED),$(wildcard $(RAW)/tokens.tsv))
# Our own format holds the authors' analyses too.
ANALYSIS := $(if $(filter schema-yaml,$(FORMAT)),$(B)/analysis.jsonl)
TERMS := $(ANALYSIS:%analysis.jsonl=%terms.txt)
rows = $(patsubst %,$(B)/%.jsonl,$(1))
options = $(foreach name,$(1),--$(name) $(B)/$(name).jsonl)
# What people decided about our own collection, and what raters said of its items, as `annotate agree` counts it.
DECISIONS := $(if $(filter zh,$(COLLECTION)),$(wildcard annotation/decisions.tsv))
JUDGED := $(if $(filter zh,$(COLLECTION)),$(wildcard annotation/exports/*/items.tsv))

.PHONY: FORCE $(shell sed -n 's/^\([a-z-]*\):.* ## .*/\1/p' $(firstword $(MAKEFILE_LIST)))

build: $(B)/summary.txt build/index.html ## build the datasets and build/index.html, which leads to all of them
	echo; cat $<
## make build COLLECTION=n SOURCE=f FORMAT=t | build another one  [LANGUAGE=] [TABLE_COLUMNS=] [PATCHES=] [PARSERS=] [EXCLUDE_FLAGS=]

# --- stages ----------------------------------------------------------------------------------------------------------
# NAME is the command of a stage and NAME.out what it writes. It reads the files that its command names, and NAME.in. NAME.first runs before
# it, NAME.then after it, NAME.env is the extra that it needs, NAME.after is made first if it is missing. `rule`, below, makes the rule: it
# runs again if a file of another stage is newer, if its command, what people write, a module or a rule has changed, or a file of its is gone.

ingest = ingest $(call quoted,$(SOURCE)) --format $(FORMAT) $(if $(LANGUAGE),--lang $(LANGUAGE)) $(PRINTED:%=--tokens %) \
  $(if $(TABLE_COLUMNS),--columns $(call quoted,$(TABLE_COLUMNS))) $(if $(PATCHES),--patches $(call quoted,$(PATCHES))) \
  $(addprefix --targets ,$(wildcard $(RAW)/targets.tsv)) $(ANALYSIS:%=--analysis %) $(TERMS:%=--terms %) \
  --out $(B)/items.jsonl --skipped $(B)/skipped.jsonl
ingest.out = $(B)/items.jsonl $(B)/skipped.jsonl $(PRINTED) $(ANALYSIS) $(TERMS)
ingest.source = $(call quoted,$(SOURCE)) $(if $(PATCHES),$(call quoted,$(PATCHES)))
# A mistake, such as an unknown format, leaves what the last build wrote; what another format left there does not belong to these items.
.PRECIOUS: $(ingest.out)
ingest.then = rm -f $(filter-out $(PRINTED) $(ANALYSIS) $(TERMS),$(addprefix $(B)/,tokens.tsv analysis.jsonl terms.txt))
# Only what we release must be valid, before anything is derived from it: a published collection has its defects.
$(B)/.items-valid: $(B)/items.jsonl $(B)/skipped.jsonl
	$(WINOFORGE) validate skipped $(B)/skipped.jsonl
	$(WINOFORGE) validate items,pairs $(B)/items.jsonl
	touch $@

define parse_stage
parse-$(1) = parse $(B)/items.jsonl --backend $(1) --lock $(B)/parses/$(1).conllu $(MODIFICATIONS:%=--modifications %)
parse-$(1).out = $(B)/parses/$(1).conllu
parse-$(1).env = $(patsubst ginza,japanese,$(1:udpipe=parse))
endef
$(foreach parser,$(if $(OURS),,$(PARSERS)),$(eval $(call parse_stage,$(parser))))

exclude = exclude $(B)/items.jsonl $(call options,skipped kept rejected decisions) $(LOCKS:%=--parses %) $(EXCLUDE_FLAGS)
exclude.out = $(call rows,kept rejected decisions)
exclude.in = $(if $(OURS),$(B)/.items-valid)
# A collection without modifications, or without decisions of people, goes through these two stages unchanged.
modify = modify $(B)/kept.jsonl --rejected $(B)/rejected.jsonl $(MODIFICATIONS:%=--modifications %) $(LOCKS:%=--parses %) \
  --out $(B)/modified.jsonl --rejected-out $(B)/modified-rejected.jsonl --ledger $(B)/modifications.jsonl
modify.out = $(call rows,modified modified-rejected modifications)
apply = annotate apply $(B)/modified.jsonl --rejected $(B)/modified-rejected.jsonl $(filter --by-sentence,$(EXCLUDE_FLAGS)) \
  $(DECISIONS:%=--decisions %) --out $(B)/adjudicated.jsonl --rejected-out $(B)/adjudicated-rejected.jsonl --ledger $(B)/adjudications.jsonl
apply.out = $(call rows,adjudicated adjudicated-rejected adjudications)
# The zero forms that studies ask about, before people decide anything.
before = zero $(B)/modified.jsonl --out $(B)/zero-before.jsonl
before.out = $(B)/zero-before.jsonl
# `zero` refuses an empty collection: the audit shows why nothing is left, the summary says it and fails.
zero = zero $(B)/adjudicated.jsonl --out $(B)/zero.jsonl
zero.out = $(B)/zero.jsonl
zero.first = test -s $< || { $(WINOFORGE) $(filter-out --forms $(B)/variants,$(audit)) --quiet; $(VENV)/bin/python -m tools.summary $(B) $(B)/summary.txt; }
variants = variants $(B)/adjudicated.jsonl --out $(B)/variants $(TOKENS:%=--tokens % --collection $(B)/items.jsonl) \
  $(ANALYSIS:%=--analysis %) $(call options,modifications adjudications)
variants.out = $(B)/variants/options.json
variants.after = $(B)/zero.jsonl
audit = audit --name $(COLLECTION) $(call options,items skipped rejected decisions modifications adjudications) \
  $(LOCKS:%=--parses %) $(GOLD:%=--gold %) $(ANALYSIS:%=--analysis %) $(JUDGED:%=--people %) --forms $(B)/variants \
  $(addprefix --readings ,$(wildcard $(addprefix $(RAW)/,reading.tsv reading-before.tsv))) \
  $(addprefix --predictions ,$(wildcard raw/evaluation/small_models_$(COLLECTION).jsonl)) --out $(B)/audit
audit.out = $(B)/audit/index.html $(B)/audit/audit.tsv
count = corpus count raw/prose/articles.txt --format text --terms build/zh/terms.txt --window $(or $(WINDOW),10) --out build/zh/association/counts.jsonl
count.out = build/zh/association/counts.jsonl
association = pmi build/zh/items.jsonl --terms build/zh/analysis.jsonl --counts build/zh/association/counts.jsonl \
  --out build/zh/association/pmi.jsonl --options build/zh/association/options.json --report build/zh/association/index.html \
  --records ../audit/items/record.html --released build/zh/zero.jsonl --corpus 'Ninety short articles of our own; figures from them mean nothing about Wikipedia.'
association.out = $(addprefix build/zh/association/,index.html options.json pmi.jsonl)
artefacts = artefacts build/zh/zero.jsonl --records ../audit/items/record.html --out build/zh/artefacts
artefacts.out = build/zh/artefacts/index.html
artefacts.in = build/zh/analysis.jsonl

english = instantiate raw/en/templates.yaml --out build/en
english.out = $(foreach form,double single,build/en/$(form).tsv build/en/$(form).jsonl)
english.first = $(WINOFORGE) winopron check raw/en/templates.yaml
# No zero is made of a German item and no rule rejects it: all go on.
german = ingest raw/de/schemas.yaml --format schema-yaml --lang de --analysis build/de/analysis.jsonl --cloze build/de/cloze.jsonl \
  --out build/de/items.jsonl --skipped build/de/skipped.jsonl
german.out = $(addprefix build/de/,items.jsonl skipped.jsonl analysis.jsonl cloze.jsonl)
german-variants = variants build/de/items.jsonl --out build/de/variants --analysis build/de/analysis.jsonl
german-variants.out = build/de/variants/options.json
english-items = browse build/en/double.jsonl build/en/single.jsonl $(addprefix --readings ,$(wildcard raw/en/reading.tsv)) --out build/en/items
english-items.out = build/en/items/index.html
german-items = browse build/de/items.jsonl --analysis build/de/analysis.jsonl --forms build/de/variants \
  $(addprefix --readings ,$(wildcard raw/de/reading.tsv)) --out build/de/items
german-items.out = build/de/items/index.html
checklist = annotate checklist build/de/cloze.jsonl --out build/de/audit
checklist.out = build/de/audit/index.html build/de/audit/checklist.tsv
# Zero pronouns in running text; files of an earlier sample do not belong to this one.
documents = zp report raw/zp --out build/zp
documents.out = build/zp/index.html
documents.env = zp
documents.first = $(WINOFORGE) validate documents raw/zp && rm -rf build/zp
coref = zp coref build/zh/zero.jsonl --parses raw/zp/parses/items.conllu --out build/zh/zero.conllu
coref.out = build/zh/zero.conllu

$(B)/.valid: $(B)/zero.jsonl $(variants.out) $(audit.out) $(english.out) $(german.out) $(german-variants.out) build/zp/index.html \
  $(if $(wildcard build/validation/index.html),,FORCE)
	$(WINOFORGE) validate build $(B) build/en build/de build/zp --docs build/validation --made $(ASKED)
	touch $@
build/zh/.valid: $(association.out) $(artefacts.out) build/zh/zero-before.jsonl build/zh/zero.conllu $(checklist.out) $(english-items.out) $(german-items.out)
CARDS := raw/SOURCES.toml $(wildcard raw/licences/* annotation/exports/*/*)
RELEASES := $(foreach name,zh en de zp,build/release/$(name)/SHA256SUMS)
RELEASED := $(ANALYSIS) $(variants.out) \
  $(call rows,items skipped rejected decisions modified modifications adjudicated-rejected adjudications zero)
# release of BUILD, of these files and those of the cards; a build that is as it was validated is not validated again.
define release_stage
release-$(1) = release build/$(1) --made $(ASKED)
release-$(1).out = build/release/$(1)/SHA256SUMS
release-$(1).in = $(CARDS) $(2)
release-$(1).after = $(B)/.valid
endef
$(eval $(call release_stage,$(COLLECTION),$(RELEASED) $(OURS) $(wildcard $(addprefix $(RAW)/,reading*.tsv errata.yaml) raw/evaluation/small_models_$(COLLECTION).jsonl)))
$(eval $(call release_stage,en,$(english.out) raw/en/templates.yaml))
$(eval $(call release_stage,de,$(german.out) $(german-variants.out) $(wildcard raw/de/*.yaml raw/de/*.tsv)))
$(eval $(call release_stage,zp,build/zp/index.html $(wildcard $(addprefix raw/zp/,*.zh *.en */*.tsv */*/*.zh */*/*.en))))
release-zp.env = zp
manifest = manifest build/release $(LOCKS:%=--parses %) --out build/MANIFEST.json
manifest.out = build/MANIFEST.json
manifest.in = $(RELEASES) $(audit.out) $(CARDS)
$(RELEASES) build/MANIFEST.json: $(START)
# Only new releases are verified; if one fails, the manifest stays, and the next build verifies it again.
$(ASKED)/verified: $(RELEASES) | build/MANIFEST.json
	$(WINOFORGE) verify $(patsubst %/SHA256SUMS,%,$?) --no-load --made $(ASKED)
	touch $@
# The last thing that a build does; it fails if nothing is left of the collection.
$(B)/summary.txt build/index.html &: $(audit.out) $(B)/zero.jsonl $(variants.out) $(if $(filter zh,$(COLLECTION)),$(ASKED)/verified) \
  tools/summary.py $(wildcard tools/front_page.*)
	$(VENV)/bin/python -m tools.summary $(B) $(B)/summary.txt
	$(call record,summary,$(B)/summary.txt)

# build/COLLECTION/.asked/NAME holds the command of a stage and the SHA-256 of what people write for it; it is written only if that is new.
FOLDERS := $(B) $(ASKED) build/en build/de build/zp build/release
same = $(and $(findstring <$(strip $(1))>,<$(strip $(2))>),$(findstring <$(strip $(2))>,<$(strip $(1))>))
changed = $(if $(call same,$(file <$(1)),$(2)),,FORCE)
gone = $(foreach path,$(filter build/%,$(file <$(ASKED)/$(1).made)),$(if $(wildcard $(path)),,FORCE))
inputs = $(patsubst %/variants,%/variants/options.json,$(filter build/%,$($(1)) $($(1).in)))
made = $(filter-out $(FOLDERS) $($(1).out) $(patsubst %/,%,$(dir $($(1).out))),$(inputs))
sums = $(if $(strip $(1)),$(shell find $(1) -type f -exec sha256sum {} + 2> /dev/null | LC_ALL=C sort))
asked = $(strip $($(1)) $(call sums,$(filter raw/% annotation/%,$($(1)) $($(1).in)) $($(1).source)))
list = find pipeline rules -type f ! -name '*.pyc' | LC_ALL=C sort | xargs sha256sum

$(ASKED)/knowledge: $(call changed,$(ASKED)/knowledge,$(shell $(list)))
	mkdir -p $(@D)
	$(list) > $@

# What a stage has just written is on record, so that a build need not derive it again to know that it is whole.
record = mkdir -p $(ASKED) && find $(2) -type f ! -name '.*' -exec sha256sum {} + | LC_ALL=C sort > $(ASKED)/$(1).new && mv $(ASKED)/$(1).new $(ASKED)/$(1).made
define rule
$($(1).out) $(if $(word 2,$($(1).out)),&): $(call made,$(1)) $(ASKED)/$(1) $(ASKED)/knowledge $(call gone,$(1)) | $(VENV)/$(or $($(1).env),base) $($(1).after)
	$$($(1).first)
	$$(WINOFORGE) $$($(1))
	$$($(1).then)
	$(call record,$(1),$(sort $($(1).out) $(filter %/variants/ %/audit/ %/items/ build/zp/ build/release/%,$(dir $($(1).out)))))
$(ASKED)/$(1): $(call changed,$(ASKED)/$(1),$(call asked,$(1)))
	mkdir -p $$(@D)
	printf '%s\n' $$(call quoted,$$(call asked,$(1))) > $$@
endef
$(foreach stage,$(patsubst %.out,%,$(filter %.out,$(.VARIABLES))),$(eval $(call rule,$(stage))))

# --- the environment -------------------------------------------------------------------------------------------------
EXTRAS := parse stanza japanese figures corpus spark annotate zp evaluate local translate experiment models lexicon docs
JSPSYCH := tools/jspsych/node_modules/.package-lock.json
$(VENV)/base: pyproject.toml constraints.txt
$(addprefix $(VENV)/,dev $(EXTRAS)): $(VENV)/base
.venv-labelstudio/installed: constraints-labelstudio.txt
$(JSPSYCH): tools/jspsych/package.json tools/jspsych/package-lock.json
$(addprefix $(VENV)/,base dev $(EXTRAS)) .venv-labelstudio/installed $(JSPSYCH):
	$(PYTHON) tools/install.py $@

# --- help, cleaning, development -------------------------------------------------------------------------------------
DELETED := $(filter-out build/README.md build/MANIFEST.json,$(wildcard $(if $(filter file,$(origin COLLECTION)),build/* build/.[a-z]*,$(B) build/index.html)))
clean: ## delete what was built, but not build/README.md and build/MANIFEST.json; COLLECTION=n deletes build/n and build/index.html
	rm -rf $(DELETED)
	echo $(if $(DELETED),'deleted: $(DELETED)','nothing to delete')
help: ## print this list
	sed -n 's/^\([a-z-]*\):.* ## /make \1 | /p; s/^## //p' $(firstword $(MAKEFILE_LIST)) | awk -F ' [|] ' '{ printf "%-44s%s\n", $$1, $$2 }'
test: $(VENV)/dev .venv-labelstudio/installed $(JSPSYCH) ## run the tests
	$(VENV)/bin/python -m pytest --numprocesses 3 --dist loadscope --no-loadscope-reorder --durations 10
check: $(VENV)/dev ## run ruff and mypy
	$(VENV)/bin/ruff check . && $(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
fuzz: $(VENV)/dev ## run the commands on damaged files, a minute for all together
overlap: $(VENV)/base ## check that no sentence of ours occurs in a published collection
parse: $(B)/items.jsonl $(VENV)/parse $(VENV)/stanza ## parse new and changed sentences into the parse locks; CHECK=1 only compares
	$(foreach backend,udpipe stanza,$(WINOFORGE) parse $< $(MODIFICATIONS:%=--modifications %) --backend $(backend) \
	  --lock $(RAW)/parses/$(backend).conllu $(if $(CHECK),--check) &&) $(VENV)/bin/python -m tests.support.answer_keys $(if $(CHECK),--check)
parser-model: $(VENV)/dev ## train the compact Stanza model again
bench-pmi: $(VENV)/dev ## measure how fast windows are counted, compared with the paper's tools and NLTK
bench-rules: $(addprefix $(VENV)/,dev parse japanese) ## measure the exclusion rules, compared with spaCy's matcher on whole sentences
bench-validate: $(VENV)/base build/zh/items.jsonl ## measure how the time of a suite grows with the number of items
bench-build: $(VENV)/dev ## measure builds, and the stages on many items  [BENCH_FLAGS="--before COMMIT --items N"]
bench-dump: $(VENV)/dev ## measure how fast a dump is counted, compared with WikiExtractor, gensim and mwparserfromhell  [BENCH_FLAGS="--size 100"]
fuzz overlap parser-model bench-pmi bench-rules bench-validate bench-build bench-dump labelstudio annotate-demo:
	$(VENV)/bin/python -m tools.$(subst -,_,$@) $(if $(filter %-pmi %-dump,$@),table) $(BENCH_FLAGS)
replicate: $(VENV)/dev ## recompute what the five papers print: build/replication/index.html, docs/papers.md
	$(VENV)/bin/python -m replication
docs: $(VENV)/docs ## make a site of docs/, for reading offline: build/site/docs/index.html
	$(VENV)/bin/python -m sphinx --fail-on-warning --keep-going --quiet -c docs . build/site && echo build/site/docs/index.html

# --- corpora, models, people -----------------------------------------------------------------------------------------
fetch-wikipedia: $(VENV)/corpus ## download a dump of the Chinese Wikipedia into corpora/  [DATE=20261101] [WIKI=zhwiki]
labelstudio: $(VENV)/annotate .venv-labelstudio/installed ## start a local Label Studio server  [DATABASE_URL=postgresql://…]
annotate-demo: $(VENV)/annotate build/zh/zero.jsonl ## put ten sentences on that server, to try labelling; REPORT=1 shows the result
pmi: ## answer the schemas by word association in your corpus, into build/pmi: CORPUS=f CORPUS_FORMAT=t [WINDOW=10]
pmi: build/zh/items.jsonl build/zh/zero.jsonl $(VENV)/corpus $(if $(findstring spark,$(CORPUS_FLAGS)),$(VENV)/spark)
evaluate: build/release/zh/SHA256SUMS $(addprefix $(VENV)/,evaluate local figures models) ## ask two small language models  [ITEMS=12] [MODELS="gguf:f openai/n"]
evaluate-winopron: $(english.out) $(addprefix $(VENV)/,evaluate local models) ## ask them about WinoPron's sentences, for the paper's tables  [SAMPLE=3]
experiment: build/de/cloze.jsonl $(JSPSYCH) $(VENV)/experiment ## build the experiment with people  [RESPONSIBLE=n CONTACT=a SEED=0]
fetch-wikipedia pmi evaluate evaluate-winopron experiment:
	$(VENV)/bin/python -m tools.demos $@
