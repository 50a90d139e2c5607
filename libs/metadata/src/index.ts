export * from './builders/attribute-builder.ts';
export * from './builders/attributes.ts';
export {
  buildModel,
  draftModel,
  type ModelDraft,
  ModelError,
  type ModelParts,
  withFetchPlans,
} from './builders/build-model.ts';
export * from './builders/entity-builder.ts';
export { type EnumDefinition, enumeration } from './builders/enumeration.ts';
export { fingerprint } from './builders/fingerprint.ts';
export { DATATYPES, type Datatype, type DatatypeFamily, familyOf, javaTypeOf } from './datatypes/datatypes.ts';
export {
  DYNAMIC_ATTRIBUTE_ENTITIES,
  DYNAMIC_ATTRIBUTE_ENUMS,
} from './dynamic-attributes/definition-entities.ts';
export { withDynamicAttributes } from './dynamic-attributes/with-dynamic-attributes.ts';
export * from './entities/attribute.ts';
export * from './entities/dynamic-attribute.ts';
export * from './entities/entity.ts';
export * from './entities/entity-constraints.ts';
export { type Enumeration, type EnumValue, enumValueByName } from './entities/enumeration.ts';
export * from './entities/inheritance.ts';
export {
  decidingEntities,
  indexOwnerships,
  type Ownership,
  ownershipsOf,
  visibleOwnershipsOf,
} from './entities/ownerships.ts';
export { isPersonal } from './entities/personal.ts';
export * from './entities/searchable.ts';
export * from './entities/table-location.ts';
export * from './entities/ui-hints.ts';
export { EMAIL_PATTERN, type EntityRule, type ValidationRule } from './entities/validation-rule.ts';
export * from './fetch-plans/fetch-plan.ts';
export { type Captions, captionsIn } from './messages/captions.ts';
export { constraintMessagesOf } from './messages/constraint-messages.ts';
export { type Display, displayIn } from './messages/display.ts';
export { displayText, numberKindOf, temporalKindOf } from './messages/display-text.ts';
export { formatMessage, type MessageParameters, messageSyntaxError } from './messages/format-message.ts';
export * from './messages/locale-formats.ts';
export { DEFAULT_LOCALE, MESSAGE_ENTITIES, MessageEntity } from './messages/message-entity.ts';
export {
  attributeKey,
  constantKey,
  constraintMessage,
  entityKey,
  enumKey,
  type MessageKey,
  messageGroupOf,
  uiGroupKey,
} from './messages/message-keys.ts';
export { createMessages, type MessageBundle, type Messages } from './messages/messages.ts';
export { formatDecimal } from './messages/patterns/format-decimal.ts';
export { FormatError } from './messages/patterns/format-error.ts';
export { formatTemporal } from './messages/patterns/format-temporal.ts';
export { plainDecimal } from './messages/patterns/plain-decimal.ts';
export { hasMessages, referencedKeys, resolveTemplate } from './messages/resolve-template.ts';
export { attributeOf, entityOf, enumOf as enumerationOf, familyTreeOf, lineageOf, type Model } from './model.ts';
export { comparedTypeOf, isCaseless } from './storage/compared-type.ts';
export * from './storage/dynamic-values.ts';
export {
  type HistoryChild,
  type HistoryNode,
  type HistoryTable,
  historyOf,
  historyTablesOf,
  tablesOf,
  valueSourceOf,
} from './storage/history-tables.ts';
export { type PlainColumn, plainColumnsOf } from './storage/plain-columns.ts';
export { quoteIdentifier, quoteTable } from './storage/quote-identifier.ts';
export { plainText, type SearchedText, searchVector, searchWords, WORD_AND_GAP } from './storage/search-text.ts';
export { snakeCase } from './storage/snake-case.ts';
export * from './storage/storage-map.ts';
