import { ContainerModule, type ResolutionContext } from 'inversify';
import { decisionsIn } from '#adapters/mcp/tools/decisions.ts';
import type { Tool } from '#adapters/mcp/tools/tool.ts';
import { workspaceBrief } from '#adapters/mcp/tools/workspace-brief.ts';
import { workspaceBulk } from '#adapters/mcp/tools/workspace-bulk.ts';
import { workspaceReactions } from '#adapters/mcp/tools/workspace-reactions.ts';
import { workspaceSearch } from '#adapters/mcp/tools/workspace-search.ts';
import { workspaceUndo } from '#adapters/mcp/tools/workspace-undo.ts';
import { remoteQuestions } from '#adapters/services/from-mcp/remote-questions.ts';
import { TakeBack } from '#application/changes/take-back.ts';
import { CheckReaction } from '#application/reactions/check-reaction.ts';
import { AskServices } from '#application/workspace/ask-services.ts';
import { BriefWorkspace } from '#application/workspace/brief-workspace.ts';
import { RunBulk } from '#application/workspace/run-bulk.ts';
import { SearchWorkspace } from '#application/workspace/search-workspace.ts';
import { recordPages } from '#bootstrap/modules/record-links.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';

/** How long one question to a service may take, in ms. */
const questionMs = 10_000;

/** Binds the tools over all services. */
export const workspace = new ContainerModule(({ bind }) => {
  bind(tokens.isReactionWriter).toDynamicValue((on) => {
    const { AUTOMATION_USER_ID: automation } = on.get(tokens.runtime).settings;
    const connections = on.get(tokens.connections);
    return async ({ id }) => id === automation || (await connections.overview(id)).isInTeamVault;
  });
  bind(tokens.workspaceTools).toDynamicValue((on) => {
    const catalog = on.get(tokens.catalog);
    const connections = on.get(tokens.connections);
    const { baseUrl, settings } = on.get(tokens.runtime);
    const run = on.get(tokens.awaitedCalls);
    const { names } = catalog;
    const services = new Map(
      settings.services.flatMap(({ service: { key, kind } }) =>
        kind.questions === undefined ? [] : [[key, kind.questions] as const],
      ),
    );
    const pages = recordPages(settings.services, connections);
    const asking = new AskServices({ run, pages, names, timeoutMs: questionMs });
    const remote = [...on.get(tokens.remoteServers)].map(([key, server]) => [key, remoteQuestions(server)] as const);
    const searched = new Map([...services, ...remote]);
    const search = new SearchWorkspace({ services: searched, asking, connections, names });
    const [{ partyLinks }, clock] = [on.get(tokens.stores), on.get(tokens.clock)];
    const brief = new BriefWorkspace({ services, asking, connections, partyLinks, clock });
    const bulk = new RunBulk({ run, clock: on.get(tokens.clock), deadlineMs: settings.TOOL_DEADLINE_MS });
    return [
      workspaceSearch(search, { services: names.keys, connectUrl: `${baseUrl}/page` }),
      workspaceBrief(brief, `${baseUrl}/page`),
      workspaceBulk(bulk, catalog),
      ...(settings.UNDO_DAYS === 0
        ? []
        : [
            workspaceUndo({
              takeBack: on.get(TakeBack),
              now: () => clock.now(),
              decided: decisionsIn(on.get(tokens.stores).approvals),
            }),
          ]),
      ...reactionTools(on),
    ];
  });
});

/** The tool of the reactions; none where no server runs them. */
function reactionTools(on: ResolutionContext): readonly Tool[] {
  const outcomes = on.get(tokens.reactionOutcomes);
  if (outcomes === null) return [];
  const { REACTIONS_FOLDER: folder } = on.get(tokens.runtime).settings;
  const [catalog, senders, isWriter] = [
    on.get(tokens.catalog),
    on.get(tokens.senders),
    on.get(tokens.isReactionWriter),
  ];
  return [workspaceReactions({ catalog, senders, folder, outcomes, isWriter, check: on.get(CheckReaction) })];
}
