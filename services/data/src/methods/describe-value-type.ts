import type { ValueForm } from '@lintel/application';
import type { LiteralType } from '@lintel/query';

/** The type of a parameter or result in listings, for forms (contract/services.md#value-types). */
export type ValueTypeInfo =
  /** `entity`: the value is the id of an instance of this entity. */
  | { readonly kind: 'datatype'; readonly type: string; readonly entity?: string }
  | { readonly kind: 'enum' | 'entity'; readonly type: string }
  | { readonly kind: 'list'; readonly item: ValueTypeInfo }
  | { readonly kind: 'record'; readonly members: readonly MemberInfo[] }
  | { readonly kind: 'object' | 'any' | 'void' };

interface MemberInfo {
  readonly name: string;
  readonly required: boolean;
  readonly valueType: ValueTypeInfo;
}

/** Describes a type of a service method. */
export function describeForm(form: ValueForm): ValueTypeInfo {
  switch (form.kind) {
    case 'datatype':
      return { kind: 'datatype', type: form.datatype };
    case 'enum':
      return { kind: 'enum', type: form.enumName };
    case 'entity':
      return { kind: 'entity', type: form.entity };
    case 'list':
      return { kind: 'list', item: describeForm(form.item) };
    case 'record':
      return {
        kind: 'record',
        members: Object.entries(form.members).map(([name, member]) => ({
          name,
          required: member.required,
          valueType: describeForm(member.form),
        })),
      };
    case 'object':
    case 'any':
    case 'void':
      return { kind: form.kind };
    default:
      return form satisfies never;
  }
}

/**
 * Describes a type of a predefined query.
 *
 * @param entity whose ids the values are
 */
export function describeLiteral(type: LiteralType, isList: boolean, entity: string | undefined): ValueTypeInfo {
  const single: ValueTypeInfo =
    type.kind === 'enum'
      ? { kind: 'enum', type: type.enumeration.name }
      : { kind: 'datatype', type: type.datatype, ...(entity !== undefined && { entity }) };
  return isList ? { kind: 'list', item: single } : single;
}
