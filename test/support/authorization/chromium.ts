import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const candidates = [
  process.env['CHROMIUM_PATH'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Where a Chromium is on this machine (`CHROMIUM_PATH` wins), or null. */
export const chromiumPath: string | null = candidates.find((path) => path !== '' && existsSync(path)) ?? null;

/** Starts the real browser, headless and quiet. Throws when there is none. */
export async function openChromium(): Promise<Browser> {
  if (chromiumPath === null) throw new Error('No Chromium: set CHROMIUM_PATH, or install the package chromium');
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
