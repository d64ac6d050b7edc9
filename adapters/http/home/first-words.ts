import type { ServiceKey } from '#domain/services/service-key.ts';
import { own } from '#domain/shared/own.ts';

/** Sentences to try with an assistant, by service: each only reads, or writes a note. */
const sentences: Readonly<Record<string, string>> = {
  sales_crm: 'Which of my deals are open, and what is the next step for each?',
  tracker: 'Which issues are assigned to me, and which of them is the most urgent?',
  signing: 'Which documents are waiting for a signature, and whose?',
  suite_crm: 'Show me the five newest leads, with how each came to us.',
  vault: 'Write a note named “First steps” in my vault: what can you do for me with Portolan?',
};

/** A sentence to try with an assistant, and its service. */
export type FirstWords = Readonly<{ sentence: string; service: ServiceKey }>;

/** The sentence for the first connected service that has one; null without any. */
export function firstWords(connected: readonly ServiceKey[]): FirstWords | null {
  const service = Object.keys(sentences).find((key) => connected.some((each) => each === key));
  const sentence = service === undefined ? undefined : own(sentences, service);
  const key = connected.find((each) => each === service);
  return sentence === undefined || key === undefined ? null : { sentence, service: key };
}
