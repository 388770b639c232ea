/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "perch/verb.h"
#include "report/report.h"

const struct option completion_options[] = {
	NO_MORE_OPTIONS,
};
const char completion_about[] =
	"Prints the script that lets a shell complete perch's verbs, options and their values.\n"
	"\n"
	"examples:\n"
	"  source <(perch completion bash)                    # in ~/.bashrc\n"
	"  perch completion zsh > \"${fpath[1]}/_perch\"        # before compinit\n"
	"  perch completion fish > ~/.config/fish/completions/perch.fish\n"
	"\n"
	"kubectl completes `kubectl perch` by kubectl_complete-perch, a link to perch on the PATH; flux completes\n"
	"`flux perch` by itself.\n"
	"\n"
	"exit codes: 0, 2 no such shell\n";

/* bash splits words at '=': --output=json is three. */
static const char bash[] =
	"_perch() {\n"
	"\tlocal i word line directive=1 words=()\n"
	"\tfor ((i = 1; i <= COMP_CWORD; i++)); do\n"
	"\t\tword=${COMP_WORDS[i]}\n"
	"\t\tif ((i > 1)) && [[ $word == = || ${COMP_WORDS[i - 1]} == = ]]; then\n"
	"\t\t\twords[${#words[@]} - 1]+=$word\n"
	"\t\telse\n"
	"\t\t\twords+=(\"$word\")\n"
	"\t\tfi\n"
	"\tdone\n"
	"\tword=${COMP_WORDS[COMP_CWORD]#=}\n"
	"\tCOMPREPLY=()\n"
	"\twhile IFS= read -r line; do\n"
	"\t\tcase $line in\n"
	"\t\t:*) directive=${line#:} ;;\n"
	"\t\t*) COMPREPLY+=(\"${line%%$'\\t'*}\") ;;\n"
	"\t\tesac\n"
	"\tdone < <(\"${COMP_WORDS[0]/#\\~/$HOME}\" __complete \"${words[@]}\" 2>/dev/null)\n"
	"\t((directive & 2)) && compopt -o nospace\n"
	"\t((directive & 32)) && compopt -o nosort 2>/dev/null\n"
	"\tif ((directive & 16)); then\n"
	"\t\tcompopt -o filenames\n"
	"\t\tmapfile -t COMPREPLY < <(compgen -d -- \"$word\")\n"
	"\tfi\n"
	"\t((directive & 21)) && compopt +o default\n"
	"\treturn 0\n"
	"}\n"
	"complete -o default -F _perch perch\n";

static const char zsh[] =
	"#compdef perch\n"
	"_perch() {\n"
	"\tlocal -a lines values keep glue\n"
	"\tlocal line directive=1\n"
	"\tlines=(\"${(@f)$(${~words[1]} __complete \"${(@Q)words[2,CURRENT]}\" 2>/dev/null)}\")\n"
	"\tfor line in $lines; do\n"
	"\t\tcase $line in\n"
	"\t\t:*) directive=${line#:} ;;\n"
	"\t\t*$'\\t'*) values+=(\"${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}\") ;;\n"
	"\t\t*) values+=(\"${line//:/\\\\:}\") ;;\n"
	"\t\tesac\n"
	"\tdone\n"
	"\t[[ $words[CURRENT] == -*=* ]] && compset -P '*='\n"
	"\t((directive & 2)) && glue=(-S '')\n"
	"\t((directive & 32)) && keep=(-V)\n"
	"\tif (($#values)); then\n"
	"\t\t_describe $keep -t words perch values $glue\n"
	"\telif ((directive & 16)); then\n"
	"\t\t_files -/\n"
	"\telif ((!(directive & 5))); then\n"
	"\t\t_files\n"
	"\tfi\n"
	"}\n"
	"if [[ $funcstack[1] == _perch ]]; then\n"
	"\t_perch \"$@\"\n"
	"else\n"
	"\tcompdef _perch perch\n"
	"fi\n";

static const char fish[] =
	"function __perch_complete\n"
	"\tset -l words (commandline -opc)\n"
	"\tset -l last (commandline -ct)\n"
	"\tset -l lines ($words[1] __complete $words[2..-1] \"$last\" 2>/dev/null)\n"
	"\ttest (count $lines) -gt 0; or return\n"
	"\tset -l directive (string sub -s 2 -- $lines[-1])\n"
	"\tset -e lines[-1]\n"
	"\tset -l option (string match -r -- '^-[^=]*=' \"$last\")\n"
	"\tif test (count $lines) -gt 0\n"
	"\t\tprintf '%s\\n' \"$option\"$lines\n"
	"\telse if test (math \"floor($directive / 16) % 2\") = 1\n"
	"\t\tprintf '%s\\n' \"$option\"(__fish_complete_directories (string replace -- \"$option\" '' \"$last\") '')\n"
	"\telse if test (math \"floor($directive / 4) % 2\") = 0\n"
	"\t\tprintf '%s\\n' \"$option\"(__fish_complete_path (string replace -- \"$option\" '' \"$last\"))\n"
	"\tend\n"
	"end\n"
	"complete -c perch -f -a '(__perch_complete)'\n";

static const struct shell {
	const char *name, *script;
} shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

int verb_completion(const struct settings *s, struct error *err)
{
	if (s->operands.count != 1)
		return error_set(err, ERR_USAGE, "completion: needs one shell, bash, zsh or fish");
	for (size_t i = 0; i < sizeof(shells) / sizeof(*shells); i++) {
		if (strcmp(shells[i].name, s->operands.items[0]) == 0) {
			fputs(shells[i].script, stdout);
			return report_close(NULL, err);
		}
	}
	return error_set(err, ERR_USAGE, "completion: unknown shell '%s', there are bash, zsh and fish",
			 s->operands.items[0]);
}
