/** The entry point `portolan/service`: for defining a service, its operations, its deliveries and reactions to them. */

export { idText, recordsOf, stateOf, textOr } from '#adapters/services/answers/answered-records.ts';
export { done, listOf, pagesOf, recordOf } from '#adapters/services/answers/output.ts';
export * as members from '#adapters/services/answers/output-members.ts';
export { type LiveCheck, limitHeaders } from '#adapters/services/credentials/live-check.ts';
export { type OAuthApp, type OAuthFacts, standardOAuth } from '#adapters/services/credentials/oauth-facts.ts';
export { defineService } from '#adapters/services/definitions/define-service.ts';
export {
  defineVendor,
  type VendorDefinition,
  type VendorSettings,
} from '#adapters/services/definitions/define-vendor.ts';
export type { Dialect } from '#adapters/services/definitions/dialect.ts';
export { defineKind, type Kind } from '#adapters/services/definitions/kind.ts';
export type {
  ConfiguredService,
  Service,
  ServiceDefinition,
  SettingsOf,
  WebhookDefinition,
} from '#adapters/services/definitions/service.ts';
export { extendService, serviceOf } from '#adapters/services/definitions/service-of.ts';
export type { ServiceSettings } from '#adapters/services/definitions/service-settings.ts';
export type {
  RecordOfCall,
  RegistrarDependencies,
  Vendor,
  VendorGuide,
  VendorWebhooks,
} from '#adapters/services/definitions/vendor.ts';
export { lacks, type VendorOperations } from '#adapters/services/definitions/vendor-operations.ts';
export { fromMcp, type McpOptions } from '#adapters/services/from-mcp/from-mcp.ts';
export { fromOpenApi } from '#adapters/services/from-openapi/from-openapi.ts';
export type { OpenApiOptions } from '#adapters/services/from-openapi/options.ts';
export type { Paging } from '#adapters/services/from-openapi/paging.ts';
export type { Operation, OperationTable } from '#adapters/services/requests/operation-table.ts';
export { recipesOver } from '#adapters/services/requests/recipe-rows.ts';
export { del, get, graphql, patch, post, put } from '#adapters/services/requests/request-rows.ts';
export type { RequestOptions } from '#adapters/services/requests/row-options.ts';
export {
  type DeliveryFacts,
  type DeliveryProof,
  deliveryVerifier,
  type SignatureFacts,
  signedIn,
} from '#adapters/services/webhooks/delivery-verifier.ts';
export { rejectedDelivery, staleness } from '#adapters/services/webhooks/webhook-rejection.ts';
export {
  boundId,
  isBase64Signature,
  isHexSignature,
  jsonOf,
  secretGiven,
  signedBy,
  signedInBase64By,
} from '#adapters/services/webhooks/webhook-signature.ts';
export { parsedTime, realTime } from '#adapters/services/webhooks/webhook-time.ts';
export type { ServiceInstructions } from '#application/ports/operation-catalog.ts';
export type { ProviderWebhooks } from '#application/ports/provider-webhooks.ts';
export type { AnsweredRecord, Question, ServiceQuestions } from '#application/ports/service-questions.ts';
export type { DeliveryPart, FetchCall, Verified, WebhookSource } from '#application/ports/webhook-source.ts';
export { allServices as builtInServices } from '#bootstrap/services.ts';
export type { EventFacts } from '#domain/events/event-facts.ts';
export type { NameOf } from '#domain/events/record-name.ts';
export { orderKeyOf, type RecordRef } from '#domain/events/record-ref.ts';
export type { KnownEvent, ServiceEvent } from '#domain/events/service-event.ts';
export { inlineText } from '#domain/notes/markdown-text.ts';
export { notePath } from '#domain/notes/note-path.ts';
export type { NoteTemplates } from '#domain/notes/templates.ts';
export { type Failure, failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
export { on, type Reaction, reactionTo, type Surroundings } from '#domain/reactions/reaction.ts';
export { datedEntry, type NoteStep, type PushStep, type Step } from '#domain/reactions/step.ts';
export type { ServiceKey } from '#domain/services/service-key.ts';
export { err, ok, type Result } from '#domain/shared/result.ts';
export type { TokenRecord } from '#domain/tokens/token-record.ts';
export { type Delivery, type DeliveryRejection, singleHeader, singleParameter } from '#domain/webhooks/delivery.ts';
