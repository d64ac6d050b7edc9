import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { PipelineStep } from '#adapters/http/visit.ts';
import { own } from '#domain/shared/own.ts';
import { programFile } from '#infrastructure/program/program-files.ts';

const folder = programFile('adapters/http/static');
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

const styles = join(folder, 'styles');
/** The stylesheet: the files of its folder, concatenated in order of their names. */
export const stylesheet: string = readdirSync(styles)
  .sort()
  .map((name) => readFileSync(join(styles, name), 'utf8'))
  .join('');

type StaticFile = Readonly<{ body: Buffer; type: string; etag: string }>;

/** The files by address, read once at start: requests are looked up here, so no path can leave the folder. */
const files: ReadonlyMap<string, StaticFile> = new Map(
  readdirSync(folder)
    .filter((name) => own(types, extname(name)) !== undefined)
    .map((name): readonly [name: string, body: Buffer] => [name, readFileSync(join(folder, name))])
    .concat([['portolan.css', Buffer.from(stylesheet)]])
    .map(([name, body]) => {
      const etag = `"${hash('sha256', body, 'base64url').slice(0, 16)}"`;
      const path = name === 'robots.txt' ? '/robots.txt' : `/static/${name}`;
      return [path, { body, type: own(types, extname(name)) ?? '', etag }];
    }),
);

/** The address of a static file, with a content hash so that browsers may cache it. */
export function staticUrl(name: string): string {
  const etag = files.get(`/static/${name}`)?.etag;
  if (etag === undefined) throw new Error(`There is no static file ${name}`);
  return `/static/${name}?v=${etag.slice(1, 9)}`;
}

/** What browsers and crawlers ask every site for: the icon, and a list of pages, which a server of one team has none of. */
const asked: Readonly<Record<string, string>> = { '/favicon.ico': '/static/portolan.svg' };
const absent: ReadonlySet<string> = new Set(['/sitemap.xml']);

/** Serves the static files, without authentication (EDGE-010). */
export const serveStaticFiles: PipelineStep = (ctx, next) => {
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  if (isRead && absent.has(ctx.path)) {
    ctx.status = 404;
    ctx.body = '';
    return undefined;
  }
  const file = isRead ? files.get(own(asked, ctx.path) ?? ctx.path) : undefined;
  if (file === undefined) return next();
  ctx.set('Cache-Control', ctx.querystring === '' ? 'public, max-age=300' : 'public, max-age=31536000, immutable');
  ctx.set('ETag', file.etag);
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return undefined;
  }
  ctx.type = file.type;
  ctx.body = file.body;
  return undefined;
};
