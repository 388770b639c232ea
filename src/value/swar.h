/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Eight bytes of text at a time, for the two scanners over JSON. A mask has the top bit set in each
 * byte that matched; only its lowest match is exact (a borrow may run into the bytes above it), so
 * take nothing but swar_first() of it. Masks may be or-ed before that.
 */
#ifndef PERCH_VALUE_SWAR_H
#define PERCH_VALUE_SWAR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define SWAR_SIZE 8
#define SWAR_EACH(byte) ((uint64_t)(byte) * 0x0101010101010101)

/* The first byte of the text is the lowest one of the word. */
static inline uint64_t swar_load(const void *text)
{
	uint64_t word;

	memcpy(&word, text, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

static inline uint64_t swar_below(uint64_t word, unsigned char limit) /* limit at most 0x80 */
{
	return (word - SWAR_EACH(limit)) & ~word & SWAR_EACH(0x80);
}

static inline uint64_t swar_equal(uint64_t word, unsigned char byte)
{
	return swar_below(word ^ SWAR_EACH(byte), 1);
}

static inline uint64_t swar_high(uint64_t word)
{
	return word & SWAR_EACH(0x80);
}

static inline size_t swar_first(uint64_t mask)
{
	return (size_t)__builtin_ctzll(mask) / 8;
}

#endif
