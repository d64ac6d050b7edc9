import { faultsIn } from '#test/mutants/outside/mutant.ts';

/** Faults of the JSON-RPC and event stream routes, and of the tools and their inputs. */
export const mcpFaults = [
  ...faultsIn('adapters/mcp/protocol/json-rpc.ts', { breaks: 'Protected routes (JSON-RPC)', sections: 'MCP' }, [
    ['parseError: -32700', 'parseError: -32000', 'broken JSON has another code'],
    ['methodNotFound: -32601', 'methodNotFound: -32600', 'an unknown method has another code'],
    [
      "JSON.stringify({ jsonrpc: '2.0', error, id })",
      "JSON.stringify({ jsonrpc: '2.0', error, id: null })",
      'errors lose the id of their request',
    ],
    ["if (jsonrpc !== '2.0') return", "if (jsonrpc === '1.0') return", 'messages need no version'],
  ]),
  ...faultsIn('adapters/mcp/transports/stream-sessions.ts', { breaks: null, sections: 'MCP' }, [
    ["line.send('endpoint',", "line.send('address',", 'the stream does not name its address'],
    ['return answer(202, null);', 'return answer(200, null);', 'a message for a stream is 200'],
    [
      'session === undefined || session.userId !== exchange.user.id',
      'session === undefined',
      "messages go to others' streams",
      'whoever is not the owner of a stream is refused before',
    ],
  ]),
  ...faultsIn('adapters/mcp/tools/tool-methods.ts', { breaks: null, sections: 'MCP,TOOL' }, [
    [
      "if (!isObject(given)) throw new RpcError(rpcCodes.invalidParams, 'The parameter arguments must be an object.');",
      'if (!isObject(given)) return refused(onlyReads(null));',
      'arguments that are a list are a result',
    ],
  ]),
  ...faultsIn(
    'adapters/services/tracker/operations/issue-changes.ts',
    { breaks: 'Planned MCP tools', sections: 'TOOL' },
    [
      [
        "affected: 'entity { id identifier title archivedAt trashed }',",
        "affected: 'entity { id identifier title archivedAt trashed }', tool: 'tracker_issue_delete',",
        'there is a tool that deletes issues',
      ],
      ["tool: 'tracker_issue_archive',", '', 'there is no tool that archives issues'],
    ],
  ),
  ...faultsIn(
    'adapters/services/sales-crm/operations/activities.ts',
    { breaks: 'Planned MCP tools', sections: 'TOOL' },
    [["list: 'sales_crm_activities_list'", "list: 'sales_crm_activity_list'", 'a tool has another name']],
  ),
  ...faultsIn('adapters/services/vault/recipes.ts', { breaks: 'Planned MCP tools', sections: 'TOOL,VAULT' }, [
    [
      ".enum(['create', 'append', 'overwrite'])",
      ".enum(['create', 'overwrite'])",
      'a note cannot be appended to by its tool',
    ],
    ['{ period, date: date.optional(), format },', '{ period, format },', 'no periodic note of a day is read'],
    ['{ path, key: key.optional() },', '{ path, key },', 'the frontmatter is read by key only'],
  ]),
  ...faultsIn('adapters/services/vault/inputs.ts', { breaks: 'Outbound: vault', sections: 'TOOL,VAULT' }, [
    [
      "['daily', 'weekly', 'monthly', 'quarterly', 'yearly']",
      "['daily', 'weekly', 'monthly', 'yearly']",
      'there are no quarterly notes',
    ],
  ]),
  ...faultsIn('adapters/services/suite-crm/recipes.ts', { breaks: null, sections: 'TOOL,SUITE' }, [
    ['Note_Content: input.text,', 'Note_Content: input.title ?? input.text,', "a note's title is sent as its text"],
  ]),
  ...faultsIn('adapters/services/suite-crm/recipes.ts', { breaks: 'Planned MCP tools', sections: 'TOOL,SUITE' }, [
    [
      'Parent_Id: { module: { api_name: input.module }, id: input.id },',
      "Parent_Id: { module: { api_name: 'Contacts' }, id: input.id },",
      'notes go to contacts whatever the module',
    ],
  ]),
  ...faultsIn('adapters/services/tracker/recipes/issues.ts', { breaks: 'Outbound: tracker', sections: 'TOOL,TRACK' }, [
    ['labelIds: labels,', '', 'new issues lose their labels'],
    ['cycleId: cycle,', '', 'new issues lose their cycle'],
  ]),
];
