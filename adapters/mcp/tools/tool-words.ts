import { normalized } from '#domain/text/nfc.ts';

/**
 * The words that mean the same when people ask for a tool, by what they mean: English and German, in small letters
 * without accents. A word of at least four letters also stands for those that begin with it, one of five for those that
 * contain it, as German joins words.
 */
const words: Readonly<Record<string, string>> = {
  // What is done.
  create:
    'create creates new make add adds open file start report raise register insert log begin anlegen anlege lege erstell neu neue neuen neuer neues eroffne melde hinzufug fuge mach erfass',
  update:
    'update updates change changes edit edits modify set sets adjust assign reassign mark unassign andere ander bearbeit aktualisier zuweis weise setz pass anpass korrigier postpone reschedule verschieb',
  close: 'close closes closed complete done finish resolve reopen solve schliess abschliess erledig fertig beende',
  delete: 'delete deletes remove removes erase trash discard drop bin losch entfern weg papierkorb',
  get: 'get gets read reads show view display details detail fetch lesen lies zeig anzeig offne hole abruf',
  list: 'list lists all which overview enumerate browse show every liste auflist alle welche ubersicht zeig anzeig',
  find: 'find finds search searches look lookup query queries where grep suche such find finde wo nachschlag mention mentions contain contains erwahn',
  write: 'write writes append appends add overwrite put jot log schreib anfug erganz eintrag notier',
  send: 'send sends mail email submit dispatch schick send versend verschick',
  download: 'download export save pdf herunterlad lade exportier',
  archive: 'archive archives hide archivier',
  restore: 'restore restores undo unarchive recover undelete revert reverts wiederherstell zuruck ruckgangig',
  rename: 'rename renames retitle umbenenn umbenannt benenn',
  move: 'move moves relocate verschieb umzieh bewege',
  replace: 'replace replaces substitute swap ersetz austausch tausch',
  part: 'part section paragraph chapter line lines block abschnitt absatz kapitel zeile teil',
  merge: 'merge merges dedupe duplicates combine unify zusammenfuhr zusammenleg dublette doppelt',
  convert: 'convert converts turn qualify umwandel konvertier',
  link: 'link links relate relates related block blocks blocked duplicate duplicates depends connect verknupf verlink verbind blockier abhangig',
  attach: 'attach attaches attachment attachments anhang anhange beifug url website',
  reply: 'reply replies respond answer antwort',
  run: 'run runs execute trigger invoke ausfuhr starte',
  count: 'count sum sums average total number many zahl summe anzahl durchschnitt',
  // What it is done to.
  note: 'note notes markdown page memo notiz notizen seite',
  periodic:
    'today todays daily day journal diary weekly week monthly month quarterly yearly periodic heute heutig tages taglich tagebuch woche wochen monat jahres',
  issue: 'issue issues bug bugs ticket tickets defect task tasks story todo fehler aufgabe vorgang problem storung',
  comment: 'comment comments kommentar kommentier bemerkung',
  deal: 'deal deals opportunity opportunities geschaft verkaufschance auftrag',
  lost: 'lost won win lose loss verloren gewonnen',
  stage: 'stage stages phase',
  pipeline: 'pipeline pipelines stage stages phase',
  person: 'person persons people contact contacts customer kontakt ansprechpartner kunde kundin',
  org: 'org orgs organization organizations organisation company companies account firm customer firma firmen unternehmen betrieb kunde',
  lead: 'lead leads prospect interessent',
  activity:
    'activity activities meeting appointment call calls todo follow followup reminder task termin anruf besprechung aktivitat aufgabe erinner nachfass',
  goal: 'goal goals target targets ziel',
  document:
    'document documents contract contracts agreement nda proposal quote dokument vertrag vertrage vereinbarung angebot',
  sign: 'sign signs signed signature signatures signing signer unterschr unterzeichn signier',
  template: 'template templates vorlage muster',
  recipient: 'recipient recipients signer empfanger',
  project: 'project projects epic projekt',
  cycle: 'cycle cycles sprint sprints iteration zyklus',
  initiative: 'initiative initiatives roadmap',
  label: 'label labels tag tags etikett schlagwort schlagworter',
  tag: 'tag tags label labels hashtag schlagwort schlagworter etikett',
  state: 'state states status workflow stand zustand',
  user: 'user users teammate teammates member members colleague colleagues who benutzer nutzer mitarbeiter kolleg wer',
  me: 'me myself viewer mich mir meine ich wer bin i am',
  team: 'team teams mannschaft',
  folder: 'folder folders directory directories file files path ordner verzeichnis datei dateien',
  heading: 'heading headings headline headlines section uberschrift',
  frontmatter: 'frontmatter property properties metadata field yaml eigenschaft metadaten feld',
  command: 'command commands palette befehl',
  table: 'table tables dql dataview jsonlogic tabelle abfrage',
  record: 'record records datensatz datensatze eintrag',
  module: 'module modules modul',
  field: 'field fields column columns feld felder spalte',
  // What is over all services.
  everywhere: 'everywhere everything across services anywhere uberall dienste alles',
  brief:
    'brief briefing summary summarize summarise about know background dossier zusammenfass uberblick steckbrief wissen uber',
  bulk: 'bulk batch several many multiple same each repeatedly times mehrere viele gleiche stapel mehrfach',
  reaction: 'reaction reactions automation automations automate rule rules webhook trigger automat reaktion regel',
};

/** Words that say nothing of the tool. */
const ignored = new Set(
  'a an the of in on to for from with and or by at as is are was it its this that these those my your our their his her i we you me please can could would want need how do does did what whats s into onto up out off der die das den dem des ein eine einen einem einer eines und oder im am zu zum zur von vom fur mit auf aus bei an ist sind mein meine meinen meiner unser bitte kann ich will mochte wie was fur them him up one ones'.split(
    ' ',
  ),
);

const meanings = new Map<string, string[]>();
for (const [meaning, list] of Object.entries(words)) {
  for (const word of new Set(list.split(' '))) meanings.set(word, [...(meanings.get(word) ?? []), meaning]);
}
const known = [...meanings.keys()];

/** The least length of a word that stands for those that begin with it, and for those that contain it. */
const minStart = 4;
const minInside = 5;

/** Folds a text as the table has its words: in small letters, without accents. */
function folded(text: string): string {
  return normalized(text.toLowerCase().replaceAll('ß', 'ss'), 'NFD').replaceAll(/\p{M}/gu, '');
}

/** What each word of a text means; a word that is not known means itself. Words that say nothing are left out. */
export function meaningsIn(text: string): readonly (readonly string[])[] {
  const found = folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(found)].filter((word) => !ignored.has(word)).map(meaningsOf);
}

function meaningsOf(word: string): readonly string[] {
  const meant = lookedUp(word);
  if (meant.length > 0) return meant;
  // An umlaut may be written as two letters.
  const plain = lookedUp(word.replaceAll(/([aou])e/g, '$1'));
  return plain.length > 0 ? plain : [word.length > 3 ? word.replace(/(?:ies|es|s|y)$/, '') : word];
}

function lookedUp(word: string): readonly string[] {
  const exact = meanings.get(word);
  if (exact !== undefined) return exact;
  const near = known.filter(
    (one) => (one.length >= minStart && word.startsWith(one)) || (one.length >= minInside && word.includes(one)),
  );
  return [...new Set(near.flatMap((one) => meanings.get(one) ?? []))];
}
