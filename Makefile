# SPDX-License-Identifier: Apache-2.0
# perch: `make` builds ./perch, `make demo` shows the main job, `make test` passes all tests; both of
# these first install what is missing on Debian. Knobs: DEVELOPER=1 (warnings are errors),
# SANITIZE=address,undefined, V=1 (show commands), GIT=0 (no libgit2), STATIC=1 (one file that needs no
# library, on Debian), CASE=glob, N=, B=folder.
.DEFAULT_GOAL := all
MAKEFLAGS += --no-print-directory

VERSION := 0.1.0
PREFIX ?= /usr/local
GIT ?= 1
B ?= build$(if $(SANITIZE),-$(subst $(comma),-,$(SANITIZE)))$(if $(STATIC),-static)$(if $(filter 0,$(GIT)),-nogit)
comma := ,
BIN := $(if $(filter build,$(B)),.,$(B))
Q := $(if $(V),,@)

PACKAGES := libcjson yaml-0.1 libcurl libcrypto $(if $(filter 0,$(GIT)),,libgit2)
PKG_CFLAGS = $(shell pkg-config --cflags $(PACKAGES))
# libgit2 is loaded when it is needed (src/io/git_library.h).
PKG_LIBS = $(if $(STATIC),$(STATIC_LIBS),$(shell pkg-config --libs $(filter-out libgit2,$(PACKAGES))) -ldl)

ifdef STATIC
STATIC_DIR := $(shell packaging/static.sh)
$(if $(STATIC_DIR),,$(error no static libraries))
STATIC_LIBS := $(if $(filter 0,$(GIT)),,-l:libgit2.a $(STATIC_DIR)/lib/libgssapi.a -l:libmbedtls.a -l:libmbedx509.a \
	-l:libmbedcrypto.a -l:libhttp_parser.a -l:libpcre2-8.a -l:libssh2.a) \
	$(STATIC_DIR)/lib/libcurl.a $(STATIC_DIR)/lib/libcjson.a \
	-l:libyaml.a -l:libnghttp2.a -l:libssl.a -l:libcrypto.a -l:libz.a
endif

OPT ?= -O2
CFLAGS ?= $(OPT) -g
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wno-missing-field-initializers
HARDEN := -fPIE -fstack-protector-strong $(if $(SANITIZE),,-D_FORTIFY_SOURCE=2)
ALL_CFLAGS = -std=c17 -D_GNU_SOURCE -Isrc -Icmd -DPERCH_VERSION='"$(VERSION)"' $(WARN) $(HARDEN) \
	$(if $(DEVELOPER),-Werror) $(if $(filter 0,$(GIT)),-DPERCH_NO_GIT) $(if $(STATIC),-DPERCH_STATIC) \
	$(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer -fno-sanitize-recover=all -DPERCH_SANITIZED) \
	$(PKG_CFLAGS) $(CFLAGS)
# Of a static perch the linker warns that name services are loaded; io/standalone.h sees that none is.
# Its map tells packaging/sbom.sh what went into it.
ALL_LDFLAGS = $(if $(STATIC),-static-pie -Wl$(comma)--gc-sections$(comma)--no-warnings$(comma)-Map=$@.map,-pie) \
	-Wl,-z,relro,-z,now,--as-needed $(if $(SANITIZE),-fsanitize=$(SANITIZE)) $(LDFLAGS)

SRC := $(sort $(wildcard src/*/*.c))
VERBS := $(sort $(wildcard cmd/perch/*.c))
RUNNER := $(sort $(wildcard cmd/perch-test/*.c))
FUZZERS := $(patsubst cmd/fuzz/%.c,%,$(sort $(wildcard cmd/fuzz/*.c)))
OBJ := $(SRC:%.c=$(B)/%.o)

.PHONY: all demo test accept lint bench bench-live fuzz fuzz-replay fuzz-hash lab lab-test schema schema-check deps \
	install image image-test dist clean
all: $(BIN)/perch

# The headers that a build needs; checked only when one is missing, so that a build stays quick.
HAVE_DEPS := $(shell pkg-config --exists $(PACKAGES) 2>/dev/null && echo yes)
deps:
	$(Q)$(if $(HAVE_DEPS),true,scripts/deps.sh)

$(BIN)/perch: $(VERBS:%.c=$(B)/%.o) $(B)/perch.a
	@$(if $(V),,echo "  LINK    $@")
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)

$(B)/perch-test: $(RUNNER:%.c=$(B)/%.o) $(B)/perch.a
	@$(if $(V),,echo "  LINK    $@")
	$(Q)$(CC) $(ALL_LDFLAGS) -o $@ $^ $(PKG_LIBS)

$(B)/perch.a: $(OBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(B)/%.o: %.c Makefile
	@mkdir -p $(@D)
	@$(if $(V),,echo "  CC      $<")
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Set-up runs in a make of its own, so that this one reads pkg-config after it.
demo: deps
	$(Q)$(MAKE) all
	$(Q)scripts/demo.sh ./perch

# Leaks of libraries that are not perch's, for SANITIZE=address.
LEAKS = LSAN_OPTIONS=suppressions=$(CURDIR)/scripts/lsan.supp:print_suppressions=0

test: deps
	$(Q)$(MAKE) run-tests
run-tests: $(BIN)/perch $(B)/perch-test
	$(Q)$(LEAKS) $(B)/perch-test run --bin $(BIN) $(if $(CASE),--case '$(CASE)')
accept: $(BIN)/perch $(B)/perch-test
	$(Q)$(B)/perch-test run --accept --bin $(BIN) $(if $(CASE),--case '$(CASE)')
.PHONY: run-tests

lint:
	$(Q)scripts/lint.sh

bench: $(BIN)/perch $(B)/perch-test
	$(Q)scripts/bench.sh
	$(Q)BIN=$(BIN) B=$(B) scripts/bench-live.sh
bench-live: $(BIN)/perch $(B)/perch-test
	$(Q)BIN=$(BIN) B=$(B) scripts/bench-live.sh

# Each parser under libFuzzer (clang), SECONDS each; a finding is kept and fails the run.
SECONDS ?= 60
fuzz:
	$(Q)scripts/fuzz.sh run $(SECONDS) $(FUZZERS)
fuzz-replay:
	$(Q)scripts/fuzz.sh replay 0 $(FUZZERS)

# The oracles: real Go, a real API server (need Go; see testdata/lab/README.md).
N ?= 20000
fuzz-hash: $(BIN)/perch $(B)/perch-test
	$(Q)testdata/lab/fuzz-hash/run.sh $(N)
# A real API server, its controllers and a node that executes perch and Flagger, in a folder of its own.
lab: $(BIN)/perch
	$(Q)export PERCH_BINARY=$(abspath $(BIN)/perch) LAB_RUN=$(abspath $(B))/lab; \
		[ -e $(B)/lab/env ] || testdata/lab/lab.sh up && testdata/lab/lab.sh howto
lab-test: $(BIN)/perch $(B)/perch-test
	$(Q)scripts/lab-test.sh
schema:
	$(Q)testdata/lab/schema/generate.sh src/k8s/schema.def
schema-check:
	$(Q)testdata/lab/schema/generate.sh $(B)/schema.def && diff -u src/k8s/schema.def $(B)/schema.def

# kubectl and flux find perch by the names of plugins.
install: all
	install -D -m 755 $(BIN)/perch $(DESTDIR)$(PREFIX)/bin/perch
	for name in kubectl-perch kubectl_complete-perch flux-perch; do ln -sf perch $(DESTDIR)$(PREFIX)/bin/$$name; done
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man1 man/*.1
	install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions $(DESTDIR)$(PREFIX)/share/zsh/site-functions \
		$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
	$(BIN)/perch completion bash >$(DESTDIR)$(PREFIX)/share/bash-completion/completions/perch
	$(BIN)/perch completion zsh >$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_perch
	$(BIN)/perch completion fish >$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/perch.fish

# The hooks' image without a container engine (GIT=1: CI's), run as a node would, and a whole release.
IMAGE_GIT = $(if $(filter command line environment,$(origin GIT)),$(GIT),0)
IMAGE = perch:$(VERSION)$(if $(filter 1,$(IMAGE_GIT)),-git)
IMAGE_BUILD = build-dist$(if $(filter 0,$(IMAGE_GIT)),-nogit)
image:
	$(Q)$(MAKE) STATIC=1 GIT=$(IMAGE_GIT) CFLAGS=-O2 B=$(IMAGE_BUILD) all
	$(Q)scripts/image.sh tree $(IMAGE_BUILD)/perch $(IMAGE_BUILD)/root
	$(Q)scripts/image.sh pack $(IMAGE_BUILD)/root $(IMAGE) $(IMAGE_BUILD)/image.tar
image-test: image $(BIN)/perch $(B)/perch-test
	$(Q)scripts/image-test.sh $(IMAGE_BUILD)/root $(B)/perch-test $(BIN)/perch $(if $(filter 1,$(IMAGE_GIT)),git) || \
		{ [ $$? = 77 ] && echo "skipped: the image was built, and can't be run here"; }
dist:
	$(Q)scripts/dist.sh dist

clean:
	rm -rf build build-* dist perch

-include $(shell find $(B) -name '*.d' 2>/dev/null)
