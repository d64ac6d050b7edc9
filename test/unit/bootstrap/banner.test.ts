import { describe, expect, it } from 'vitest';
import { banner } from '#bootstrap/banner.ts';

const facts = {
  version: '0.2.0',
  takesPasswords: true,
  adminEmail: 'ada@example.com',
  firstPassword: null,
  notes: '/data/vault',
};
const listens = (baseUrl: string, host: string, port: number) =>
  /^ {2}Listens +(.*)$/m.exec(banner({ ...facts, baseUrl, host, port }))?.[1] ?? null;

describe('the banner shows where the server listens', () => {
  it.each([
    ['https://portolan.example', '127.0.0.1', 3000, 'http://127.0.0.1:3000'],
    ['https://portolan.example', '0.0.0.0', 443, 'http://0.0.0.0:443'],
    ['http://portolan.example', '10.0.0.7', 80, 'http://10.0.0.7:80'],
    ['http://localhost:8080', '127.0.0.1', 3000, 'http://127.0.0.1:3000'],
    ['http://localhost:3000', '0.0.0.0', 3000, 'http://0.0.0.0:3000'],
    ['https://portolan.example', '::', 3000, 'http://[::]:3000'],
  ])('if %s leads elsewhere than %s, port %i', (baseUrl, host, port, shown) => {
    expect(listens(baseUrl, host, port)).toBe(shown);
  });

  it.each([
    ['http://localhost:3000', '127.0.0.1', 3000],
    ['http://127.0.0.1:3000', 'localhost', 3000],
    ['http://[::1]:3000', '::1', 3000],
    ['http://10.0.0.7:3000', '10.0.0.7', 3000],
    ['http://10.0.0.7', '10.0.0.7', 80],
  ])('but not if %s is that very place (%s, port %i)', (baseUrl, host, port) => {
    expect(listens(baseUrl, host, port)).toBeNull();
  });
});

it('the banner names the command that signs the first user in, where no passwords are taken (OIDC-018)', () => {
  const at = { ...facts, baseUrl: 'http://localhost:3000', host: '127.0.0.1', port: 3000 };
  expect(banner({ ...at, takesPasswords: false })).toContain('link ada@example.com');
  expect(banner(at)).not.toContain('link ada@example.com');
});
