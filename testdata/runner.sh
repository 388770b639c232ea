# SPDX-License-Identifier: Apache-2.0
# A step of GitHub Actions for cases: its files below $T, this folder as the workspace, and what came
# of them, with the random delimiters masked.
export GITHUB_ACTIONS=true GITHUB_WORKSPACE=$PWD GITHUB_OUTPUT=$T/output GITHUB_STEP_SUMMARY=$T/summary
step() { # COMMAND...
	code=0
	"$@" || code=$?
	echo "exit $code"
}
masked() {
	sed 's/perch_[0-9a-f]\{32\}/DELIMITER/'
}
# The value of an output, read as the runner does.
output() { # NAME
	awk -v name="$1" '
		end != "" && $0 == end { end = ""; take = 0; next }
		end != "" { if (take) print; next }
		match($0, /^[a-z]+<</) { end = substr($0, RLENGTH + 1); take = substr($0, 1, RLENGTH - 2) == name; next }
		{ print "no line of an output: " $0 }' $T/output
}
