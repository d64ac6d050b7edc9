/** A customer of the company that the tasks are about. */
export type Customer = Readonly<{ name: string; domain: string; city: string; tier: 'A' | 'B' | 'C' }>;

/** A person at a customer; `customer` is the place of the customer in the list. */
export type Contact = Readonly<{ name: string; email: string; phone: string; customer: number }>;

const cities = ['Hamburg', 'Oslo', 'Bologna', 'Leeds', 'Osaka', 'Ghent', 'Porto', 'Gdańsk'];

const named = [
  'Nordlicht Logistik=nordlicht.example',
  'Polaris Shipping=polaris.example',
  'Osteria Bianchi=osteria-bianchi.example',
  'Café Zürich=cafe-zuerich.example',
  '北斗工業=hokuto.example',
  'Harbour Cranes=harbourcranes.example',
  'Müller & Söhne=mueller-soehne.example',
  'Kestrel Foods=kestrel.example',
];
const firstWords = ['Aurora', 'Birch', 'Copper', 'Delta', 'Ember', 'Fjord', 'Garnet', 'Heather'];
const lastWords = ['Textiles', 'Optics', 'Bakeries', 'Freight'];

/** Forty customers: eight with names of their own, the others plain. */
export const customers: readonly Customer[] = [
  ...named.map((text) => text.split('=')),
  ...firstWords.flatMap((first) =>
    lastWords.map((last) => [`${first} ${last}`, `${first}-${last}.example`.toLowerCase()]),
  ),
].map(([name = '', domain = ''], at) => ({
  name,
  domain,
  city: cities[at % cities.length] ?? '',
  tier: at % 5 === 0 ? 'A' : at % 3 === 0 ? 'B' : 'C',
}));

const firstNames = ['Maria', 'Tomasz', 'Yuki', 'Grace', 'Omar', 'Ingrid', 'Pedro', 'Helen', 'Viktor', 'Sofia'];
const lastNames = ['Keller', 'Nowak', 'Tanaka', 'Hughes', 'Haddad', 'Dahl', 'Alves', 'Brandt'];

/** Who is somebody of their own: two Annas, and one person who was entered twice. */
const special: Readonly<Record<number, Partial<Contact>>> = {
  0: { name: 'Anna Berg', email: 'anna.berg@nordlicht.example' },
  3: { name: 'Anna Lindqvist', email: 'anna.lindqvist@polaris.example' },
  8: { name: '田中 由紀', email: 'yuki@hokuto.example' },
  14: { name: 'Jonas Weber', email: 'jonas.weber@kestrel.example', phone: '' },
  15: { name: 'Jonas Weber', email: '', phone: '+49 40 555 0115' },
};

/** Eighty persons, two at each customer. */
export const contacts: readonly Contact[] = Array.from({ length: 80 }, (_, at) => {
  const customer = Math.floor(at / 2);
  const name = `${firstNames[at % 10] ?? ''} ${lastNames[Math.floor(at / 10)] ?? ''}`;
  const email = `${name.toLowerCase().replace(' ', '.')}@${customers[customer]?.domain ?? ''}`;
  return { name, email, phone: `+49 40 555 0${100 + at}`, customer, ...special[at] };
});

/** What the deals are about, one after the other. */
export const offers = ['Renewal', 'Pilot', 'Rollout'];

const dayMs = 86_400_000;

/** The local day that is so many days from today, as YYYY-MM-DD. */
export function day(offset: number): string {
  const date = new Date();
  date.setDate(date.getDate() + offset);
  const part = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${part(date.getMonth() + 1)}-${part(date.getDate())}`;
}

/** The moment so many days ago, as an ISO text. */
export const ago = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();

/** The moment at which the clocks of a time zone show this day and time. */
export function momentIn(timeZone: string, date: string, time: string): Date {
  const utc = Date.parse(`${date}T${time}:00Z`);
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(utc);
  const offset = /GMT([+-])(\d+):(\d+)/.exec(parts.map(({ value }) => value).join(''));
  const minutes = Number(offset?.[2] ?? 0) * 60 + Number(offset?.[3] ?? 0);
  return new Date(utc - (offset?.[1] === '-' ? -minutes : minutes) * 60_000);
}

/** What the clocks of a time zone show at a moment, as HH:MM. */
export const clockIn = (timeZone: string, moment: Date | undefined): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(moment);

/** The Monday of last week, and the one after it. */
export function lastWeek(): Readonly<{ monday: string; end: string }> {
  const sinceMonday = (new Date().getDay() + 6) % 7;
  return { monday: day(-sinceMonday - 7), end: day(-sinceMonday) };
}

/** The week of a Monday by ISO 8601, such as 2026-W48. */
export function weekOf(monday: string): string {
  const thursday = new Date(Date.parse(`${monday}T00:00:00Z`) + 3 * dayMs);
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const week = Math.floor((thursday.getTime() - first) / (7 * dayMs)) + 1;
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}
