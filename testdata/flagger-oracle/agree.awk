# SPDX-License-Identifier: Apache-2.0
# Holds perch's word against what Flagger did.  awk -f agree.awk PERCH RECORD
# PERCH: NAMESPACE CANARY HASH WOULD-RUN(true|false|null); RECORD: as the lab writes it (testdata/lab/README.md).
# A canary that Flagger rolled must be named, with the very hash that Flagger stored; one that it left must not be.
BEGIN { FS = "\t" }
FNR == NR { hash[$1 "/" $2] = $3; would[$1 "/" $2] = $4; next }
FNR == 1 { next }
{
	key = $1 "/" $2; count[$6]++; total++
	if (!(key in would)) { print key ": perch doesn't know it"; bad++; next }
	runs = $6 == "rolled" || $6 == "restarted" || $6 == "gated" || $6 == "stuck"
	if ($6 != "suspended" && would[key] != (runs ? "true" : "false")) {
		print key ": Flagger " $6 ", perch says " would[key]; bad++
	} else if (($6 == "rolled" || $6 == "restarted") && hash[key] != $5) {
		print key ": Flagger stored " $5 ", perch says " hash[key]; bad++
	}
}
END {
	printf "%d canaries, %d disagreements:", total, bad
	split("rolled restarted gated stuck no error gone suspended", words, " ")
	for (i = 1; i in words; i++) if (count[words[i]]) printf " %d %s", count[words[i]], words[i]
	print ""
}
