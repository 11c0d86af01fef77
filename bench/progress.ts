// What a person sees while it runs, on standard error.

/** Shows one line: in place of the last one on a terminal, below it elsewhere. */
export function show(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`)
  else if (line !== '') process.stderr.write(`${line}\n`)
}

/** Seconds as a person says them. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
