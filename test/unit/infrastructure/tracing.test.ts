import { describe, expect, it } from 'vitest';
import { readSettings } from '#bootstrap/config/settings.ts';
import { openTracing, tracingPackage } from '#bootstrap/tracing/open-tracing.ts';
import { formatTraceparent, parseTraceparent } from '#infrastructure/tracing/traceparent.ts';
import { keepingLogger, type LogLine } from '#test/support/authorization/auth-app.ts';

const good = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('a traceparent header', () => {
  it('is read and written as the W3C specifies', () => {
    const parsed = parseTraceparent(good);
    expect(parsed).toEqual({ traceId: good.slice(3, 35), spanId: good.slice(36, 52), traceFlags: 1 });
    expect(parsed === null ? '' : formatTraceparent(parsed)).toBe(good);
    expect(parseTraceparent(good.replace(/^00/, 'cc').concat('-more'))?.traceFlags).toBe(1);
    expect(parseTraceparent(good.replace(/01$/, '02'))?.traceFlags).toBe(0);
  });

  it.each([
    ['nothing', undefined],
    ['another form', 'x'],
    ['capitals', good.toUpperCase()],
    ['more than version 00 has', `${good}-more`],
    ['version ff', good.replace(/^00/, 'ff')],
    ['no trace', good.replace('4bf92f3577b34da6a3ce929d0e0e4736', '0'.repeat(32))],
    ['no span', good.replace('00f067aa0ba902b7', '0'.repeat(16))],
  ])('is ignored with %s (TRACE-002)', (_, text) => expect(parseTraceparent(text)).toBeNull());
});

describe('opening tracing', () => {
  const opened = async (
    endpoint: string | undefined,
    load: (name: string) => Promise<unknown>,
    more: Readonly<Record<string, string>> = {},
  ) => {
    const lines: LogLine[] = [];
    const asked: string[] = [];
    const loading = (name: string) => {
      asked.push(name);
      return load(name);
    };
    const settings = readSettings({
      ...(endpoint === undefined ? {} : { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }),
      ...more,
    });
    const parts = { settings, version: '0', logger: keepingLogger(lines), load: loading };
    return { tracing: await openTracing(parts), lines, asked };
  };

  it('loads nothing and returns no tracer if no endpoint is set (TRACE-001)', async () => {
    const { tracing, asked } = await opened(undefined, async () => ({}));
    expect(tracing).toBeNull();
    expect(asked).toEqual([]);
  });

  it('says what to install if the SDK is missing, and continues without it (TRACE-001)', async () => {
    const { tracing, lines } = await opened('http://collector:4318', () =>
      Promise.reject(new Error('no such package')),
    );
    expect(tracing).toBeNull();
    expect(lines).toMatchObject([{ level: 'warn', message: expect.stringContaining(`npm install ${tracingPackage}`) }]);
  });

  it('starts the SDK without detectors of the machine, and stops it with the server (TRACE-001, TRACE-005)', async () => {
    const did: unknown[] = [];
    class NodeSDK {
      constructor(options: unknown) {
        did.push(options);
      }
      start(): void {
        did.push('started');
      }
      async shutdown(): Promise<void> {
        did.push('ended');
        throw new Error('nobody listens');
      }
    }
    const { tracing, lines, asked } = await opened('http://collector:4318', async () => ({ NodeSDK }));
    expect(asked).toEqual([tracingPackage]);
    await tracing?.close();
    expect(did).toMatchObject([
      { serviceName: 'portolan', autoDetectResources: false, metricReaders: [] },
      'started',
      'ended',
    ]);
    expect(lines).toMatchObject([{ level: 'warn' }]);
    await opened('http://collector:4318', async () => ({ NodeSDK }), { OTEL_NODE_RESOURCE_DETECTORS: 'env' });
    expect(did[3]).toMatchObject({ autoDetectResources: true });
    expect(await tracing?.tracer.span({ name: 'a', kind: 'server', attributes: {} }, async () => 7)).toBe(7);
  });
});
