type Parts = Readonly<{
  path: string;
  subpath?: string | null;
  isBlock?: boolean;
  display?: string | null;
  embed?: boolean;
}>;

/** A link to a file of the vault, or to a heading or block in it; the file may not exist. */
export class Link {
  readonly path: string;
  readonly subpath: string | null;
  readonly type: 'file' | 'header' | 'block';
  readonly display: string | null;
  readonly embed: boolean;

  constructor({ path, subpath = null, isBlock = false, display = null, embed = false }: Parts) {
    this.path = path;
    this.subpath = subpath === null || isBlock ? subpath : headingOf(subpath);
    this.type = subpath === null ? 'file' : isBlock ? 'block' : 'header';
    this.display = display;
    this.embed = embed;
  }

  /** The same link with some parts replaced. */
  with(parts: Partial<Parts>): Link {
    const { path, subpath, type, display, embed } = this;
    return new Link({ path, subpath, isBlock: type === 'block', display, embed, ...parts });
  }

  /** What tells two links to different places apart; links that lead to the same place have the same. */
  get place(): string {
    return this.subpath === null ? this.path : `${this.path}#${this.type === 'block' ? '^' : ''}${this.subpath}`;
  }

  /** The link as it is written in a note, with the name that it shows. */
  toString(): string {
    const name = this.path.slice(this.path.lastIndexOf('/') + 1).replace(/\.md$/, '');
    const shown = this.display ?? (this.subpath === null ? name : `${name} > ${this.subpath}`);
    return `${this.embed ? '!' : ''}[[${this.place.replaceAll('|', '\\|')}|${shown}]]`;
  }

  toJSON(): string {
    return this.toString();
  }
}

/** A heading as links name it: letters, digits, `_`, `-` and emoji, with one space for all else. */
function headingOf(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}\p{M}\p{Cf}\p{Extended_Pictographic}_-]+/gu, ' ').trim();
}

/** Reads what is between the brackets of a link: `path#heading|name`; `resolved` finds the file by the path. */
export function linkOf(inner: string, resolved: (path: string) => string | null): Link {
  const bar = /(?<!\\)\|/.exec(inner)?.index ?? inner.length;
  const target = inner.slice(0, bar).replaceAll('\\|', '|').trim();
  const hash = target.indexOf('#');
  const path = hash === -1 ? target : target.slice(0, hash);
  const subpath = hash === -1 ? null : target.slice(hash + 1).replace(/^\^/, '');
  return new Link({
    path: resolved(path) ?? path,
    subpath: subpath === '' ? null : subpath,
    isBlock: target.startsWith('#^', hash),
    display: inner.slice(bar + 1) === '' ? null : inner.slice(bar + 1),
  });
}
