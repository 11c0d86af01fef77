/** What a command ends with: a line for stderr and exit code 1, or nothing. */
export type CommandEnd = { readonly problem: string } | undefined
