import type { PipelineStep } from '#adapters/http/visit.ts';

/**
 * Sets the headers of every answer, against sniffing, caching and framing. They are few, since each one costs time on the
 * routes that programs call; a page has more. `isHttps` adds HSTS.
 */
export function securityHeaders({ isHttps }: Readonly<{ isHttps: boolean }>): PipelineStep {
  const headers: readonly (readonly [name: string, value: string])[] = [
    ['X-Content-Type-Options', 'nosniff'],
    ['Cache-Control', 'no-store'],
    ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
    ...(isHttps ? [['Strict-Transport-Security', 'max-age=31536000'] as const] : []),
  ];
  const setSecurityHeaders: PipelineStep = (ctx, next) => {
    for (const [name, value] of headers) ctx.res.setHeader(name, value);
    return next();
  };
  return setSecurityHeaders;
}
