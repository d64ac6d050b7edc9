/** How many tokens a text takes in a model’s context, about: four bytes of JSON or Latin text each, a character of other scripts each. */
export function tokensIn(text: string): number {
  const others = text.match(/[\u1100-\uffff]/g)?.length ?? 0;
  return others + Math.ceil((text.length - others) / 4);
}
