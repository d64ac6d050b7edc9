import { describe, expect, it } from 'vitest';
import { isAllowedRedirectUri, isRegisteredRedirectUri, withParameters } from '#domain/oauth/redirect-uri.ts';

describe('a redirect URI', () => {
  it.each([
    'https://app.example/callback',
    'https://app.example:8443/callback?tenant=1',
    'https://xn--80ak6aa92e.com/cb',
    'http://localhost/callback',
    'http://localhost:8080',
    'http://127.0.0.1:33418/',
    'http://127.1.2.3/cb',
    'http://[::1]:9000/cb',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'com.example.app:/oauth2redirect',
    'vscode://vscode.microsoft-authentication',
    'vscode-insiders://publisher.extension/callback',
    'windsurf://codeium.windsurf/oauth/callback',
    'claude://oauth/callback',
    'zed://oauth',
    'com.example.some-app.x2://callback?tenant=1',
  ])('may be %s (REG-011, REG-012)', (uri) => expect(isAllowedRedirectUri(uri)).toBe(true));

  it.each([
    ['nothing', ''],
    ['relative', '/callback'],
    ['without scheme', '//app.example/callback'],
    ['with a fragment', 'https://app.example/cb#fragment'],
    ['with an empty fragment', 'https://app.example/cb#'],
    ['http away from loopback', 'http://app.example/callback'],
    ['http on the local network', 'http://192.168.1.5/callback'],
    ['http on 0.0.0.0', 'http://0.0.0.0/callback'],
    ['with user info', 'https://good.example@evil.example/cb'],
    ['with empty user info', 'https://@evil.example/cb'],
    ['loopback as user info', 'http://localhost@evil.example/cb'],
    ['loopback and port as user info', 'http://127.0.0.1:80@evil.example/cb'],
    ['loopback as a subdomain', 'http://localhost.evil.example/cb'],
    ['loopback number as a subdomain', 'http://127.0.0.1.evil.example/cb'],
    ['a loopback number written otherwise', 'http://2130706433/cb'],
    ['a loopback number in hexadecimal', 'http://0x7f.0.0.1/cb'],
    ['a loopback number out of range', 'http://127.0.0.256/cb'],
    ['a port out of range', 'http://localhost:99999/cb'],
    ['with a backslash', 'https:\\\\evil.example'],
    ['with a backslash in the host', 'http://localhost\\@evil.example/'],
    ['https without slashes', 'https:evil.example'],
    ['https with three slashes', 'https:///evil.example'],
    ['with a wildcard as its host', 'https://*.example/'],
    ['with a wildcard in its host', 'https://app*.example/cb'],
    ['with a quote in its host', "https://app'.example/cb"],
    ['with a space', 'https://app.example/a b'],
    ['with a tab in the scheme', 'java\tscript:alert(1)'],
    ['with a line break', 'https://app.example/\r\nSet-Cookie: a=b'],
    ['with other letters', 'http://ⓛocalhost/cb'],
    ['with a broken escape', 'https://app.example/%zz'],
    ['with a bracket', 'https://app.example/<script>'],
    ['a script', 'javascript:alert(1)'],
    ['a script in capitals', 'JavaScript:alert(1)'],
    ['data', 'data:text/html,hello'],
    ['vbscript', 'vbscript:msgbox(1)'],
    ['a file', 'file:///etc/passwd'],
    ['a blob', 'blob:https://app.example/1'],
    ['about', 'about:blank'],
    ['a scheme alone', 'cursor:'],
    ['a scheme that belongs to no known client', 'myapp://callback'],
    ['a handler that runs a troubleshooter', 'ms-msdt:/id%20PCWDiagnostic'],
    ['a handler that searches', 'search-ms:query=x'],
    ['a handler that opens a folder', 'shell:startup'],
    ['a handler that installs', 'ms-appinstaller:?source=https://evil.example'],
    ['a page of an extension', 'chrome-extension://aaaaaaaaaaaaaaaa/page.html'],
    ['a feed of a script', 'feed:javascript:alert(1)'],
    ['the source of a page', 'view-source:https://app.example/'],
    ['the source of a page, in capitals', 'View-Source:https://app.example/'],
    ['a socket', 'wss://app.example/cb'],
    ['mail', 'mailto:evil@example.org'],
    ['a scheme that ends with a dot', 'shell.:startup'],
    ['a scheme with two dots in a row', 'com..example:/cb'],
    ['a known client with user info', 'cursor://good@evil/cb'],
    ['a domain of its own with empty user info', 'com.example.app://@evil/cb'],
    ['too long', `https://app.example/${'a'.repeat(2_048)}`],
  ])('may not be %s (REG-010, REG-012)', (_, uri) => expect(isAllowedRedirectUri(uri)).toBe(false));
});

describe('the match with what was registered', () => {
  const registered = ['https://app.example/cb', 'http://127.0.0.1:1234/cb', 'http://localhost/cb?x=1'];

  it.each([
    'https://app.example/cb',
    'http://127.0.0.1:1234/cb',
    'http://127.0.0.1:9/cb',
    'http://127.0.0.1/cb',
    'http://localhost:55555/cb?x=1',
  ])('accepts %s (AUTH-010)', (uri) => expect(isRegisteredRedirectUri(registered, uri)).toBe(true));

  it.each([
    'https://app.example/cb/',
    'https://app.example/CB',
    'https://app.example:444/cb',
    'https://app.example/cb?x=1',
    'https://app.example/x/../cb',
    'https://APP.example/cb',
    'http://localhost:1234/cb',
    'http://127.0.0.2:1234/cb',
    'http://127.0.0.1:1234/cb/../evil',
    'http://127.0.0.1:1234@evil.example/cb',
    'http://localhost/cb?x=2',
    'http://localhost/cb',
  ])('refuses %s (AUTH-010)', (uri) => expect(isRegisteredRedirectUri(registered, uri)).toBe(false));

  it('lets a client that registered none use loopback only (AUTH-011)', () => {
    expect(isRegisteredRedirectUri([], 'http://localhost:1/any')).toBe(true);
    expect(isRegisteredRedirectUri([], 'http://[::1]/any')).toBe(true);
    expect(isRegisteredRedirectUri([], 'https://app.example/cb')).toBe(false);
    expect(isRegisteredRedirectUri([], 'cursor://callback')).toBe(false);
  });
});

describe('parameters on a redirect', () => {
  it.each([
    ['http://localhost:1', 'http://localhost:1?code=a%26b'],
    ['https://app.example/cb?x=1', 'https://app.example/cb?x=1&code=a%26b'],
    ['https://app.example/cb?', 'https://app.example/cb?code=a%26b'],
    ['cursor://cb', 'cursor://cb?code=a%26b'],
  ])('are added to %s as %s', (uri, expected) => {
    expect(withParameters(uri, { code: 'a&b', state: null })).toBe(expected);
  });
});
