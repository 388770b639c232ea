/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A dump of a cluster, read instead of the cluster: kubectl's Lists, the API server's own, what `perch dump` writes (a
 * ClusterInfo first: {serverVersion, lists, namespace}), or a folder of such files, JSON or YAML. It is read
 * once from end to end, object by object, for an index; objects are then fetched one by one, so a
 * dump may be of any size. YAML is first turned to JSON in a file without a name.
 *
 * ClusterInfo.lists names the kinds that were listed (`Deployment`), in its namespace if it names one,
 * else everywhere; without it a kind counts as listed in a namespace where the dump has one of it there, and everywhere after an
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

/* From this offset of the whole dump on, objects are what their List says (dump_item.h). */
struct dump_typed {
	uint64_t offset;
	const char *text; /* NULL: they say it themselves */
};

struct dump {
	struct dump_file *files;
	size_t n_files, cap_files;
	struct dump_typed *typed; /* in the order of the dump */
	size_t n_typed, cap_typed;
	uint64_t size;            /* of all files together */
	struct index index;
	struct index canaries;    /* in the order of the dump; keys don't count */
	struct index aims;        /* the same by the name of their targets */
	struct index flaggers;    /* Deployments that run Flagger */
	struct index listed;      /* kind and namespace; places don't count */
	unsigned listed_everywhere; /* bits by kind */
	int server_minor;         /* 0: the dump doesn't say */
	size_t values;            /* objects of any kind, and Lists */
	size_t targets;           /* Deployments, DaemonSets, Services */
	bool has_owners;          /* some target has managedFields */
	size_t namespace_width, name_width; /* of the canaries, for tables */
	bool lists_told;          /* what was listed is said, not seen by what is there */
	int spool;                /* -1: none yet */
	/* Canaries as they are to be seen, with what isn't on them; NULL: as they are. */
	const struct tree *(*see)(const void *arg, const struct tree *canary);
	const void *see_arg;
};

/* What is left out of a dump that is being made: asked with the object's identity and owners. */
struct dump_filter {
	bool (*wanted)(void *arg, enum object_kind kind, const struct tree *outline);
	void *arg;
};

/* Paths as files.h has them. ERR_INPUT names file and line. */
int dump_open(struct dump *out, const struct strings *paths, struct error *err);
void dump_close(struct dump *d);

/*
 * The other way to a dump: made object by object, each added as its JSON text (which goes to a file
 * without a name, as in a List after its first), then finished. Whatever the filter, a Deployment
 * that runs Flagger is taken.
 */
int dump_begin(struct dump *out, const char *name, struct error *err);
int dump_add(bool *taken, struct dump *d, const char *text, size_t len, const struct dump_filter *filter,
	     struct error *err);
/* A kind was listed in a namespace (NULL: in all), or what isn't there of it is known to be absent. */
void dump_tell_listed(struct dump *d, enum object_kind kind, const char *namespace);
/* Takes back what was added of a kind since the dump had this size; its text stays. */
void dump_forget(struct dump *d, enum object_kind kind, uint64_t size);
/* Takes the text back, too, of all kinds, which were forgotten. */
int dump_cut(struct dump *d, uint64_t size, struct error *err);
/* The minor of "1.36" or "v1.36.2-eks-1"; 0: it is no version. */
int dump_minor(const char *version);
/* Sorts what lookups need; more may be added, and finished, after. */
void dump_finish(struct dump *d);

/* Entries of d->canaries and d->flaggers; NULL with err filled in where it can't be read again. */
const struct tree *dump_fetch(const struct dump *d, struct index_entry e, struct error *err);
/* A canary. Of one that can't be read only what tells whose it is, and why; *problem is NULL else. */
const struct tree *dump_canary(const struct dump *d, size_t i, const char **problem, struct error *err);
struct seen dump_find(const struct dump *d, enum object_kind kind, const char *namespace,
		      const char *name);
/* The name of another canary on the same target; NULL: none. */
const char *dump_rival(const struct dump *d, const struct tree *canary);
/* The ReplicaSets or ControllerRevisions that belong to an object, and how many; 0 where one can't be read. */
size_t dump_history(const struct tree ***out, const struct dump *d, enum object_kind kind,
		    const struct tree *owner);
/* Which file has this offset of the whole dump, and its bytes. */
const struct dump_file *dump_file_of(const struct dump *d, uint64_t offset);
unsigned dump_line_at(const struct dump *d, uint64_t offset); /* 0: it can't be read again */
int dump_read_at(const struct dump *d, char *text, size_t len, uint64_t offset, struct error *err);
bool dump_listed(const struct dump *d, enum object_kind kind, const char *namespace);

#endif
