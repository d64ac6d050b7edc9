import { hiddenFields } from '#test/support/authorization/plain-browser.ts';

/** A form of the page /approvals: its address, and its hidden fields. */
export type DecisionForm = Readonly<{ action: string; fields: Readonly<Record<string, string>> }>;

/** The form that decides on the reaction at that path; null when the page, whose HTML is given, has none. */
export function decisionForm(html: string, path: string): DecisionForm | null {
  const card = html.split('<li class="card"').find((part) => part.includes(`path=${encodeURIComponent(path)}"`));
  const action = /action="(\/approvals\/[^"]+)"/.exec(card ?? '')?.[1];
  return card === undefined || action === undefined ? null : { action, fields: hiddenFields(card) };
}

/** Allows the reaction at that path on the page /approvals, and returns the answer's status; 0 when it does not wait. */
export async function allowReaction(
  path: string,
  {
    get,
    post,
  }: Readonly<{
    get: (path: string) => Promise<string>;
    post: (path: string, fields: Readonly<Record<string, string>>) => Promise<Response>;
  }>,
): Promise<number> {
  const form = decisionForm(await get('/approvals'), path);
  return form === null ? 0 : (await post(form.action, { ...form.fields, decision: 'allow' })).status;
}
