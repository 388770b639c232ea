/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "io/files.h"
#include "source/dump_item.h"

int dump_begin(struct dump *out, const char *name, struct error *err)
{
	*out = (struct dump){.spool = files_spool(err), .lists_told = true};
	if (out->spool < 0)
		return -1;
	out->files = NEW(struct dump_file);
	out->files[0] = (struct dump_file){.name = name, .fd = out->spool};
	out->n_files = out->cap_files = 1;
	return 0;
}

/* Each begins as it must in a List that others come before. */
int dump_add(bool *taken, struct dump *d, const char *text, size_t len, const struct dump_filter *filter,
	     struct error *err)
{
	static const char comma[] = ",\n";
	size_t gap = strlen(comma);
	struct dump_item item = {text, len, d->size + gap, d->files[0].name, 1};

	if (dump_take(taken, d, &item, filter, err) != 0)
		return -1;
	if (!*taken)
		return 0;
	if (files_write(d->spool, comma, gap, err) != 0 || files_write(d->spool, text, len, err) != 0)
		return -1;
	d->size += gap + len;
	return 0;
}

void dump_tell_listed(struct dump *d, enum object_kind kind, const char *namespace)
{
	if (!namespace)
		d->listed_everywhere |= 1u << kind;
	else
		index_add(&d->listed, index_key(kind, namespace, ""), 0);
}

void dump_forget(struct dump *d, enum object_kind kind, uint64_t size)
{
	struct index *const indices[] = {&d->index, &d->canaries, &d->aims, &d->flaggers};

	for (size_t i = 0; i < sizeof(indices) / sizeof(*indices); i++)
		index_drop(indices[i], kind, index_place(size, 0));
}

int dump_cut(struct dump *d, uint64_t size, struct error *err)
{
	if (ftruncate(d->spool, (off_t)size) != 0 || lseek(d->spool, (off_t)size, SEEK_SET) < 0)
		return error_set(err, ERR_INPUT, "can't write a temporary file: %s", strerror(errno));
	d->size = size;
	return 0;
}

void dump_finish(struct dump *d)
{
	index_sort(&d->index);
	index_sort(&d->listed);
	index_sort(&d->aims);
}
