import type { RecordKind } from '#test/emulators/tracker/types.ts';

/**
 * Fields that the vendor's own SDK selects of a kind, and that are not kept here: they answer null, or the value that
 * stands for none where the vendor's schema has no null.
 */
export const unkeptFields: Readonly<Partial<Record<RecordKind, Readonly<Record<string, unknown>>>>> = {
  User: {
    ...none(
      'description avatarUrl statusUntilAt statusEmoji lastSeen timezone disableReason statusLabel gitHubUserId title calendarHash',
    ),
    createdIssueCount: 0,
    avatarBackgroundColor: '#5e6ad2',
    initials: '',
    inviteHash: '',
    ...no('owner app supportsAgentSessions canAccessAnyPublicTeam'),
    isAssignable: true,
    isMentionable: true,
  },
  Team: {
    ...none(
      'cycleCalenderUrl autoArchivePeriod autoClosePeriod integrationsSettings triageResponsibility scimGroupName autoCloseStateId defaultTemplateForMembers defaultTemplateForNonMembers defaultProjectTemplate defaultTemplateForMembersId defaultTemplateForNonMembersId parent retiredAt viewerMembership visibility mergeWorkflowState draftWorkflowState startWorkflowState mergeableWorkflowState reviewWorkflowState triageIssueState allMembersCanJoin autoCloseChildIssues autoCloseParentIssues markedAsDuplicateWorkflowState',
    ),
    securitySettings: {},
    issueEstimationType: 'notUsed',
    inviteHash: '',
    upcomingCycleCount: 2,
    cycleCooldownTime: 0,
    cycleStartDay: 1,
    cycleDuration: 2,
    ledInitiativeCount: 0,
    defaultIssueEstimate: 1,
    ...no(
      'cycleIssueAutoAssignCompleted cycleLockToActive cycleIssueAutoAssignStarted setIssueSortOrderOnStateChange requirePriorityToLeaveTriage initiativesEnabled scimManaged private inheritIssueEstimation inheritWorkflowStatuses viewerCanJoin viewerCanLeave issueEstimationExtended issueEstimationAllowZero aiDiscussionSummariesEnabled aiThreadSummariesEnabled groupIssueHistory slackIssueComments slackNewIssue slackIssueStatuses triageEnabled issueOrderingNoPriorityFirst issueSortOrderDefaultToBottom',
    ),
  },
  Issue: {
    ...none(
      'integrationSourceType delegate botActor sourceComment syncedWith externalUserCreator asksExternalUserRequester asksRequester lastAppliedTemplate subIssueSortOrder recurringIssueTemplate startedTriageAt triagedAt addedToCycleAt addedToProjectAt addedToTeamAt autoArchivedAt autoClosedAt slaStartedAt slaBreachesAt slaHighRiskAt slaMediumRiskAt snoozedUntilAt slaType snoozedBy favorite',
    ),
    reactionData: {},
    labelIds: [],
    previousIdentifiers: [],
    reactions: [],
    customerTicketCount: 0,
    sharedAccess: {
      disallowedIssueFields: [],
      sharedWithCount: 0,
      sharedWithUsers: [],
      viewerHasOnlySharedAccess: false,
      isShared: false,
    },
    boardOrder: 0,
    sortOrder: 0,
    prioritySortOrder: 0,
    inheritsSharedAccess: false,
  },
  Project: {
    ...none(
      'integrationsSettings documentContent updateRemindersDay syncedWith updateReminderFrequency updateRemindersHour convertedFromIssue lastAppliedTemplate updateReminderFrequencyInWeeks targetDateResolution startDateResolution healthUpdatedAt autoArchivedAt projectUpdateRemindersPausedUntilAt favorite trashed microsoftTeamsChannelId slackChannelId',
    ),
    labelIds: [],
    completedScopeHistory: [],
    completedIssueCountHistory: [],
    inProgressScopeHistory: [],
    issueCountHistory: [],
    scopeHistory: [],
    resourceCount: 0,
    scope: 0,
    frequencyResolution: 'weekly',
    prioritySortOrder: 0,
    sortOrder: 0,
    state: 'started',
    ...no('slackIssueComments slackNewIssue slackIssueStatuses'),
  },
  Cycle: {
    ...none('inheritedFrom autoArchivedAt'),
    completedScopeHistory: [],
    completedIssueCountHistory: [],
    inProgressScopeHistory: [],
    scopeHistory: [],
    issueCountHistory: [],
  },
  Comment: {
    ...none(
      'agentSession resolvingCommentId documentContentId initiativeId initiativeUpdateId issueId parentId projectId projectUpdateId botActor resolvingComment documentContent syncedWith externalThread externalUser initiative initiativeUpdate project projectUpdate quotedText resolvingUser',
    ),
    reactionData: {},
    reactions: [],
  },
  Attachment: { ...none('source bodyData creator originalIssue externalUserCreator'), ...no('groupBySource') },
  Initiative: {
    ...none(
      'trashed parentInitiative integrationsSettings documentContent updateRemindersDay updateReminderFrequency updateRemindersHour updateReminderFrequencyInWeeks targetDateResolution leadTeam healthUpdatedAt',
    ),
    labelIds: [],
    frequencyResolution: 'weekly',
    priority: 0,
    prioritySortOrder: 0,
    sortOrder: 0,
    visibility: 'public',
  },
  ProjectStatus: { ...none('description'), color: '#bec2c8', position: 0, ...no('indefinite') },
  IssueLabel: none('lastAppliedAt inheritedFrom groupType creator retiredBy'),
  WorkflowState: none('inheritedFrom'),
  Document: {
    ...none('trashed documentContentId lastAppliedTemplate owner release hiddenAt updatedBy'),
    sortOrder: 0,
  },
};

function none(names: string): Readonly<Record<string, null>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, null]));
}

function no(names: string): Readonly<Record<string, boolean>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, false]));
}
