import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type * as Pipelines from '#adapters/http/pipeline.ts';
import { type ListedPage, otherRoutes, pages } from '#test/browser/every-page.ts';
import { type Furnished, startFurnished } from '#test/browser/furnished.ts';
import { chromiumPath, openChromium } from '#test/support/authorization/chromium.ts';
import { casesOf, isLong } from '#test/support/form.ts';
import { adminPassword } from '#test/support/server/whole-server.ts';

const seen = vi.hoisted(() => ({ paths: new Set<string>() }));

// The pipeline as it is, but that the paths of all routes that a browser can open are noted.
vi.mock('#adapters/http/pipeline.ts', async (original) => {
  const { pipeline } = await original<typeof Pipelines>();
  const observed: typeof pipeline = (dependencies) => {
    const given = pipeline(dependencies);
    const to: typeof given.to = (route, reading) => {
      if (route.method === 'GET') seen.paths.add(route.path);
      return given.to(route, reading);
    };
    return { ...given, to };
  };
  return { pipeline: observed };
});

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** What axe finds on the page, a line for each rule with the elements it found. */
const violations = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`;
const isTooWide = 'document.documentElement.scrollWidth > innerWidth';
/** The fields, links and buttons that a keyboard comes to, in order; and the positive tabindexes, which would change it. */
const order = `(() => {
  const all = [...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, summary, [tabindex="0"]')];
  const shown = all.filter((element) => element.checkVisibility() && !element.disabled);
  const unnamed = shown.filter((element) => (element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? element.textContent).trim() === '');
  return { stops: shown.length, unnamed: unnamed.map(({ outerHTML }) => outerHTML), jumps: document.querySelectorAll('[tabindex]:not([tabindex="0"], [tabindex="-1"])').length };
})()`;

/** Whether axe looks at the page at that width: in the short form each page at one of them, by turn. */
const isLookedAt = (page: ListedPage, width: number): boolean =>
  isLong || (width !== 640 && pages.indexOf(page) % 2 === (width === 1280 ? 0 : 1));

const reason = chromiumPath === null ? ' (skipped: no Chromium; set CHROMIUM_PATH)' : '';

describe.skipIf(chromiumPath === null)(
  `every page in a real browser${reason}`,
  () => {
    let furnished: Furnished;
    let browser: Browser;
    let base: string;
    let cookies: Awaited<ReturnType<BrowserContext['cookies']>>;

    beforeAll(async () => {
      furnished = await startFurnished();
      base = furnished.server.origin.replace('127.0.0.1', 'localhost');
      browser = await openChromium();
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${base}/login`);
      await page.getByLabel('E-mail').fill('admin@localhost');
      await page.getByLabel('Password').fill(adminPassword);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL('**/floki/index');
      cookies = await context.cookies();
      await context.close();
    }, 120_000);
    afterAll(async () => {
      await browser.close();
      await furnished[Symbol.asyncDispose]();
    });

    const contextFor = async (options: Parameters<Browser['newContext']>[0], signedIn: boolean) => {
      const context = await browser.newContext(options);
      if (signedIn) await context.addCookies(cookies);
      return context;
    };

    const openAll = async (page: Page) => {
      await page.evaluate(
        'for (const one of document.querySelectorAll("details")) { one.name = ""; one.open = true; }',
      );
    };

    it('is in the list of this test: no route that a browser opens is left out', () => {
      const isListed = (route: string) => {
        const pattern = new RegExp(`^${route.replaceAll('.', '\\.').replaceAll(/:[a-z_]+/gi, '[^/]+')}$`);
        return Object.hasOwn(otherRoutes, route) || pages.some(({ path }) => pattern.test(path.split('?')[0] ?? ''));
      };
      const isForPrograms = (route: string) => /^\/(api|\.well-known)\//.test(route);
      const left = [...seen.paths].filter((route) => !isForPrograms(route) && !isListed(route));
      expect([seen.paths.size > 0, left]).toEqual([true, []]);
    });

    const placed = (path: string): string =>
      path.replace(
        /\{(invitation|app|waiting|refused)\}/,
        (_, name: 'invitation' | 'app' | 'waiting' | 'refused') => furnished[name],
      );

    // Each colour scheme, width and way of working meets each value of the others; 640 px are 1280 at 200 % zoom. Without our script the page is as where
    // scripts are switched off, but that axe can run in it.
    const combinations = [
      ['light', 1280, true],
      ['dark', 390, true],
      ['dark', 1280, false],
      ['light', 390, false],
      ['dark', 640, true],
    ] as const;
    describe.each(casesOf(combinations, ([, , hasScript]) => hasScript))(
      'a page in %s, %i px wide, with the script: %s',
      (colorScheme, width, hasScript) => {
        let contexts: readonly BrowserContext[];
        // A window that goes from page to page: to open one for each would start a process of the browser each time.
        let windows: Readonly<Record<'signedIn' | 'stranger', Page>>;

        beforeAll(async () => {
          const deviceScaleFactor = width === 640 ? 2 : 1;
          const options = { colorScheme, viewport: { width, height: 844 }, deviceScaleFactor, bypassCSP: true };
          const [signedIn, stranger] = [await contextFor(options, true), await contextFor(options, false)];
          contexts = [signedIn, stranger];
          for (const context of contexts)
            if (!hasScript) await context.route('**/static/*.js*', (route) => route.abort());
          windows = { signedIn: await signedIn.newPage(), stranger: await stranger.newPage() };
        });
        afterAll(async () => {
          for (const context of contexts) await context.close();
        });

        it.each(pages)(
          'at $path ($heading) has no fault that axe finds, fits, and can be walked by keyboard (PAGE-010)',
          async (listed) => {
            const page = windows[listed.signedIn ? 'signedIn' : 'stranger'];
            await page.goto(`${base}${placed(listed.path)}`);
            await listed.act?.(page);
            const headings = await page.getByRole('heading', { level: 1 }).allTextContents();
            expect(headings).toEqual([expect.stringMatching(listed.heading)]);
            await openAll(page);
            if (isLookedAt(listed, width)) {
              await page.evaluate(axe);
              expect(await page.evaluate(violations)).toEqual([]);
            }
            expect(await page.evaluate(isTooWide)).toBe(false);
            expect(await page.evaluate(order)).toMatchObject({ unnamed: [], jumps: 0 });
          },
        );
      },
    );

    it('keeps displayed ages up to date while it is open (ACCT-003)', async () => {
      const context = await contextFor({}, true);
      const page = await context.newPage();
      await page.clock.install();
      await page.goto(`${base}/deliveries`);
      const age = page.locator('tbody time').first();
      expect(await age.textContent()).toMatch(/^\d+ (s|min) ago$/);
      await page.clock.fastForward('05:00:00');
      await expect.poll(() => age.textContent(), { timeout: 30_000 }).toBe('5 h ago');
      expect(await age.getAttribute('title')).toMatch(/^[\d-]+ \d\d:\d\d:\d\d UTC$/);
      await context.close();
    });

    it('opens the navigation in a narrow window with a button, without a script, and Escape closes it', async () => {
      const narrow = { viewport: { width: 390, height: 844 }, javaScriptEnabled: false };
      const context = await contextFor(narrow, true);
      const page = await context.newPage();
      await page.goto(`${base}/floki/index`);
      const places = page.getByRole('navigation', { name: 'Pages' });
      expect(await places.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Menu' }).focus();
      await page.keyboard.press('Enter');
      await places.waitFor({ state: 'visible' });
      await page.keyboard.press('Escape');
      await places.waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Menu' }).click();
      await places.getByRole('link', { name: 'Connections' }).click();
      await page.waitForURL('**/page');
      await context.close();
    });
  },
  300_000,
);
