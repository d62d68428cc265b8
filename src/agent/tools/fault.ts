const WORDS: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EACCES: "can't be used: permission denied",
  EPERM: "can't be used: the operation is not permitted",
  EISDIR: "is a folder",
  ENOTDIR: "leads through a file as if it were a folder",
  EEXIST: "was made by somebody else meanwhile",
  ELOOP: "is a symbolic link that leads in a circle, or was put there meanwhile",
  ENAMETOOLONG: "is too long a name",
  ENOSPC: "can't be written: the disk is full",
  EDQUOT: "can't be written: the quota is used up",
  EROFS: "is on a read-only file system",
  ENXIO: "is not a regular file",
};

/** An error of the file system as a sentence for the model; `hint` says what to do. Other errors as they are. */
export function fileFault(error: unknown, shown: string, hint = "Check the path."): Error {
  const code = codeOf(error);
  if (code === undefined) return error instanceof Error ? error : new Error(String(error));
  return new Error(`${shown} ${WORDS[code] ?? `can't be used (${code})`}. ${hint}`, { cause: error });
}

/** The code of a system error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}
