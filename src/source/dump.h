/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A dump of a cluster, read instead of the cluster: kubectl's Lists, what `perch dump` writes (a
 * ClusterInfo first: {serverVersion, lists}), or a folder of such files, JSON or YAML. It is read
 * once from end to end, object by object, for an index; objects are then fetched one by one, so a
 * dump may be of any size. YAML is first turned to JSON in a file without a name.
 *
 * ClusterInfo.lists names the kinds that were listed everywhere (`Deployment`); without it a kind
 * counts as listed in a namespace where the dump has one of it there, and everywhere after an
 * empty List of that kind. What isn't there is absent if its kind was listed, else unread.
 */
#ifndef PERCH_SOURCE_DUMP_H
#define PERCH_SOURCE_DUMP_H

#include "base/error.h"
#include "base/notes.h"
#include "base/options.h"
#include "flagger/subject.h"
#include "source/index.h"

struct dump_file {
	const char *name;
	int fd;            /* -1: opened when needed */
	bool lines;        /* offsets are those of the named file */
	uint64_t start;    /* of its first byte in the whole dump */
	uint64_t skew;     /* of its first byte in fd */
};

struct dump {
	struct dump_file *files;
	size_t n_files, cap_files;
	uint64_t size;            /* of all files together */
	struct index index;
	struct index canaries;    /* in the order of the dump; keys don't count */
	struct index flaggers;    /* Deployments that run Flagger */
	struct index listed;      /* kind and namespace; places don't count */
	unsigned listed_everywhere; /* bits by kind */
	int server_minor;         /* 0: the dump doesn't say */
	size_t values;            /* objects of any kind, and Lists */
	size_t targets;           /* Deployments, DaemonSets, Services */
	bool has_owners;          /* some target has managedFields */
	size_t namespace_width, name_width; /* of the canaries, for tables */
	int spool;                /* -1: none yet */
};

/* Paths as files.h has them. ERR_INPUT names file and line. */
int dump_open(struct dump *out, const struct strings *paths, struct error *err);
void dump_close(struct dump *d);

/* Entries of d->canaries and d->flaggers; NULL with err filled in where it can't be read again. */
const struct tree *dump_fetch(const struct dump *d, struct index_entry e, struct error *err);
struct seen dump_find(const struct dump *d, enum object_kind kind, const char *namespace,
		      const char *name);
/* The ReplicaSets or ControllerRevisions that belong to an object; false: such were not read. */
bool dump_history(const struct dump *d, enum object_kind kind, const struct tree *owner,
		  const struct tree ***out, size_t *count);
/* Which file has this offset of the whole dump, and its bytes. */
const struct dump_file *dump_file_of(const struct dump *d, uint64_t offset);
int dump_read_at(const struct dump *d, char *text, size_t len, uint64_t offset, struct error *err);
bool dump_listed(const struct dump *d, enum object_kind kind, const char *namespace);

#endif
