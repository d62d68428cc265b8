// Generated from prompts/*.md by scripts/templates.mjs; edit those.

/** prompts/bash-execution-context.md */
export const BASH_EXECUTION_CONTEXT = "The user ran a shell command:\n\n<command>\n{{command}}\n</command>\n<output>\n{{output}}\n</output>\n{{state}}";

/** prompts/branch-summary-context.md */
export const BRANCH_SUMMARY_CONTEXT = "The conversation went down another branch from here and came back. This is what happened there:\n\n<summary>\n{{summary}}\n</summary>";

/** prompts/compaction-summary-context.md */
export const COMPACTION_SUMMARY_CONTEXT = "The earlier part of this conversation is no longer shown. This summary stands in its place:\n\n<summary>\n{{summary}}\n</summary>";

/** prompts/file-mention-context.md */
export const FILE_MENTION_CONTEXT = "The user pointed at this file:\n\n<file path=\"{{path}}\">\n{{content}}\n</file>";

/** prompts/python-execution-context.md */
export const PYTHON_EXECUTION_CONTEXT = "The user ran Python code:\n\n<code>\n{{code}}\n</code>\n<output>\n{{output}}\n</output>\n{{state}}";
