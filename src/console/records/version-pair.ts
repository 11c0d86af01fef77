// Two versions to compare, as an address names them: `2..5`. Pure.

export const versionPair = (text: string | null): readonly [number, number] | undefined => {
  const [, one, other] = /^([1-9]\d{0,8})\.\.([1-9]\d{0,8})$/.exec(text ?? '') ?? []
  return one === undefined || other === undefined ? undefined : [Number(one), Number(other)]
}

export const versionNumber = (text: string | null): number | undefined =>
  /^[1-9]\d{0,8}$/.test(text ?? '') ? Number(text) : undefined
