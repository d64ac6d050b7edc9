import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthApp, ada, openAuthApp } from '#test/support/authorization/auth-app.ts';
import { authorizePath, callback, registered } from '#test/support/authorization/auth-flow.ts';
import { chromiumPath, openChromium } from '#test/support/authorization/chromium.ts';
import { casesOf } from '#test/support/form.ts';

const reason = chromiumPath === null ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

/** What is wrong with the page that is shown, a sentence each; runs in the page. Rules of WCAG 2.2 AA that can be computed. */
const faults = `(() => {
  const faults = [];
  const channel = (value) => { const part = value / 255; return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4; };
  const parts = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const ground = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const found = parts(getComputedStyle(at).backgroundColor);
      if (found[3] !== 0) return found;
    }
    return [255, 255, 255];
  };
  const contrast = (one, other) => {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  for (const element of document.querySelectorAll('body *')) {
    const text = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent.trim()).join('');
    if (text === '' || !element.checkVisibility()) continue;
    const found = contrast(parts(getComputedStyle(element).color), ground(element));
    if (found < 4.5) faults.push('contrast ' + found.toFixed(2) + ' of "' + text.slice(0, 30) + '"');
  }
  for (const field of document.querySelectorAll('input:not([type=hidden])')) {
    if (field.labels.length !== 1) faults.push(field.name + ' has no label of its own');
    const around = contrast(parts(getComputedStyle(field).borderTopColor), ground(field.parentElement));
    if (around < 3) faults.push('the border of ' + field.name + ' has contrast ' + around.toFixed(2));
    if (!['checkbox', 'radio'].includes(field.type) && parseFloat(getComputedStyle(field).fontSize) < 16) faults.push(field.name + ' makes phones zoom in');
  }
  for (const target of document.querySelectorAll('button, a.button, summary')) {
    if (target.checkVisibility() && target.getBoundingClientRect().height < 24) faults.push('too small to hit: ' + target.textContent);
  }
  if (document.querySelectorAll('h1').length !== 1) faults.push('not one h1');
  if (document.querySelectorAll('main').length !== 1) faults.push('not one main');
  if (document.documentElement.lang !== 'en') faults.push('no language');
  if (document.title === '') faults.push('no title');
  const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
  if (new Set(ids).size !== ids.length) faults.push('an id twice');
  for (const image of document.images) if (!image.hasAttribute('alt')) faults.push('an image without alt');
  if (document.querySelector('script:not([src^="/static/"]), [onclick], [style]') !== null) faults.push('script or style in the page');
  if (document.documentElement.scrollWidth > innerWidth) faults.push('wider than the window');
  return faults;
})()`;

/** The name of what has the focus, and whether one sees that it has. */
const focused = `(() => {
  const { activeElement: at } = document;
  const isSeen = getComputedStyle(at).outlineStyle !== 'none' && parseFloat(getComputedStyle(at).outlineWidth) >= 2;
  return (at.labels?.[0]?.textContent ?? at.textContent).trim() + (isSeen ? '' : ' (unseen)');
})()`;

describe.skipIf(chromiumPath === null)(`the pages in a real browser${reason}`, () => {
  let app: AuthApp;
  let browser: Browser;
  let path: string;

  beforeAll(async () => {
    app = await openAuthApp();
    browser = await openChromium();
    const { client_id } = await registered(app, {
      client_name: 'A rather long name of an app',
      redirect_uris: [callback],
    });
    path = authorizePath({ client_id, redirect_uri: callback, state: 's' });
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
  });

  const signIn = async (page: Page, password: string) => {
    await page.getByLabel('E-mail').fill(ada.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  const windows = [
    ['light', 1_000],
    ['dark', 1_000],
    ['light', 360],
    ['dark', 360],
    ['light', 320],
  ] as const;
  // The short form has each width once, one of them dark.
  const isKept = ([scheme, width]: (typeof windows)[number]) => (scheme === 'dark') === (width === 360);
  it.each(casesOf(windows, isKept))(
    'are readable, labelled and fit: %s, %i wide (PAGE-010)',
    async (colorScheme, width) => {
      await using context = await browser.newContext({ colorScheme, viewport: { width, height: 740 } });
      const page = await context.newPage();
      const check = async (name: string) => expect([name, await page.evaluate(faults)]).toEqual([name, []]);
      for (const address of ['/page', '/authorize?client_id=unknown', '/login', path]) {
        await page.goto(`${app.baseUrl}${address}`);
        await check(address);
      }
      await signIn(page, 'wrong');
      await page.getByRole('alert').waitFor();
      await check('the error banner');
      await signIn(page, ada.password);
      await page.getByRole('button', { name: 'Allow Access' }).waitFor();
      await check('consent');
      await page.getByRole('group', { name: 'Vault' }).getByLabel('Off').check();
      await page.getByRole('button', { name: 'Allow Access' }).click();
      await page.getByRole('alert').waitFor();
      await check('consent with all off');
      for (const address of ['/floki/index', '/page', '/logout', '/nowhere']) {
        await page.goto(`${app.baseUrl}${address}`);
        await check(address);
      }
    },
  );

  it('can be walked by Tab in reading order, with a visible focus', async () => {
    await using context = await browser.newContext();
    const page = await context.newPage();
    const walk = async (steps: number) => {
      const seen = [];
      for (let step = 0; step < steps; step += 1) {
        await page.keyboard.press('Tab');
        seen.push(await page.evaluate(focused));
      }
      return seen;
    };
    await page.goto(`${app.baseUrl}${path}`);
    expect(await page.evaluate(focused)).toBe('E-mail');
    expect(await walk(2)).toEqual(['Password', 'Sign in']);
    await signIn(page, ada.password);
    await page.getByRole('button', { name: 'Allow Access' }).waitFor();
    const [brand, full, read, off, vault, ask, ...buttons] = await walk(9);
    expect([brand, full, read, off]).toEqual(['Portolan', 'Read and change', 'Read', 'Off']);
    expect([vault, ask]).toEqual(['Read and change', 'Don’t ask']);
    expect(buttons).toEqual(['Allow Access', 'Deny', 'Use another account']);
    await page.goto(`${app.baseUrl}/logout`);
    expect(await walk(4)).toEqual(['Portolan', 'Sign out of all browsers and MCP clients', 'Sign out', 'Stay']);
    await page.goto(`${app.baseUrl}/floki/index`);
    expect(await walk(4)).toEqual(['Skip to the content', 'Portolan', 'Home', 'Connections']);
  });

  it('announce a failed login to a screen reader: the alert, described by both fields, the focus on what to correct', async () => {
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${app.baseUrl}/login`);
    await signIn(page, 'wrong');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    const id = await alert.getAttribute('id');
    for (const label of ['E-mail', 'Password']) {
      expect(await page.getByLabel(label).getAttribute('aria-describedby')).toBe(id);
    }
    expect(await page.evaluate(focused)).toBe('Password');
  });

  it('announce a consent to nothing to a screen reader: the alert, described by the group, the focus on its first choice', async () => {
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${app.baseUrl}${path}`);
    await signIn(page, ada.password);
    await page.getByRole('group', { name: 'Vault' }).getByLabel('Off').check();
    await page.getByRole('button', { name: 'Allow Access' }).click();
    const id = await page.getByRole('alert').getAttribute('id');
    expect(await page.getByRole('group', { name: 'Vault' }).getAttribute('aria-describedby')).toBe(id);
    expect(await page.evaluate(focused)).toBe('Off');
  });

  it('need no script (PAGE-002)', async () => {
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${app.baseUrl}/login`);
    await signIn(page, ada.password);
    await page.getByRole('heading', { name: 'Your Portolan' }).waitFor();
  });
});
