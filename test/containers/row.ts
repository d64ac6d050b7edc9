import type { Engine, Images } from '#test/containers/engine.ts';

/** What a row runs with: the engine, the images, ours among them, and the one that ours replaces; null where it cannot be built. */
export type Stand = Readonly<{ engine: Engine; images: Images; image: string; former: string | null }>;

/** What has to be there for a row, besides the image of ours: images below and beside it, and the image that ours replaces. */
export type Need = keyof Images | 'former';

/** Something that is tried with containers: its name, and what it says when it holds. It throws when it does not. */
export type Row = Readonly<{
  name: string;
  isLong: boolean;
  needs?: readonly Need[];
  run(stand: Stand): Promise<string>;
}>;

/** Throws when something does not hold. */
export function demand(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what);
}
