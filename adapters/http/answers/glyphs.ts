/** The icons' SVG path data, in a 24 by 24 view box with round strokes. */
const strokes = {
  home: 'M4 11 12 4l8 7M6.5 9v10.5h11V9',
  connections: 'M9 7V3.5M15 7V3.5M6.5 7h11v4.5a5.5 5.5 0 0 1-11 0zM12 17v3.5',
  apps: 'M4.5 4.5h6v6h-6zM13.5 4.5h6v6h-6zM4.5 13.5h6v6h-6zM16.5 13.5v6M13.5 16.5h6',
  approvals: 'M12 3.5 5 6v5.5c0 4.5 3 7.5 7 9 4-1.5 7-4.5 7-9V6zM8.5 12l2.5 2.5 4.5-5',
  activity: 'M3.5 12H8l2.5-6.5 4 13L17 12h3.5',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.5 20.5c.8-4 3.6-6 7.5-6s6.7 2 7.5 6',
  users:
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M3 19.5c.6-3.5 2.9-5 6-5s5.4 1.5 6 5M16 5a3.3 3.3 0 0 1 0 6.3M17.5 14.7c2 .6 3.1 2.2 3.5 4.8',
  setup: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.8v4.4M9 14.8v4.4',
  deliveries: 'M4 13.5 6.5 5h11l2.5 8.5V19H4zM4 13.5h4.5L10 16h4l1.5-2.5H20',
  reactions: 'M13 3.5 5.5 13.5H11l-1 7 7.5-10.5H12z',
  audit: 'M6 3.5h9l3.5 3.5v13.5H6zM9.5 10.5h5.5M9.5 14h5.5M9.5 17.5h3',
  menu: 'M4 7h16M4 12h16M4 17h16',
  done: 'M5 12.5 10 17.5 19.5 7',
  out: 'M10 4.5H5v15h5M14 8l4 4-4 4M18 12H9.5',
  compass: 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M15.5 8.5l-2 5-5 2 2-5z',
  funnel: 'M4 5h16l-6 7.5V19l-4-2v-4.5z',
  pen: 'M4 19.5h16M6 15.5 15.5 6l2.5 2.5-9.5 9.5H6z',
  people: 'M4.5 19.5v-13L12 4v15.5M12 9.5h7.5v10M3.5 19.5h17M7.5 9.5h1.5M7.5 13h1.5M15 13h1.5',
  ticket: 'M5 4.5h14v15H5zM8.5 9.5l1.2 1.2 2-2.2M14 9.5h2.5M8.5 15l1.2 1.2 2-2.2M14 15h2.5',
  notebook: 'M6.5 3.5h12v17h-12zM4.5 8h4M4.5 12h4M4.5 16h4M12 8h3.5M12 12h3.5',
} as const;

/** The name of an icon. */
export type GlyphName = keyof typeof strokes;

/** Renders an icon as inline SVG in the colour of the surrounding text, hidden from screen readers. `size` is in px. */
export function glyph(name: GlyphName, size = 20): string {
  return `<svg aria-hidden="true" width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"><path d="${strokes[name]}"/></svg>`;
}

/** The icon of that name; a compass for no name, and for an unknown one. */
export function iconOf(name: string | undefined): GlyphName {
  return glyphNames.find((known) => known === name) ?? 'compass';
}

const glyphNames = Object.keys(strokes).filter((name): name is GlyphName => name in strokes);
