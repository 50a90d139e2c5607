/**
 * How the value of an attribute is entered, if not as its type suggests: `textarea` (texts of several rows), `radio`
 * (enums: all constants are shown), `checkbox` (booleans). A `hidden` attribute is in no form and no column at first.
 */
export type Widget = 'textarea' | 'radio' | 'checkbox' | 'hidden';

/** The widgets of attributes. */
export const WIDGETS: readonly Widget[] = ['textarea', 'radio', 'checkbox', 'hidden'];

/** Hints of an attribute for user interfaces; they change nothing else. */
export interface AttributeUi {
  /** How a form edits the value. */
  readonly widget?: Widget;
}

/** Attributes that a form shows together. */
export interface AttributeGroup {
  /** Its caption is the message `<package>/<Class>.ui.<name>`. */
  readonly name: string;
  /** Names of the attributes, in the order of the form. */
  readonly attributes: readonly string[];
}

/** Hints of an entity for user interfaces; they change nothing else. Descendants without their own have those of the ancestor. */
export interface EntityUi {
  /** The first attributes of forms and lists, in this order; all others follow in the order of the model. */
  readonly order?: readonly string[];
  /** Groups of a form, in this order; attributes in no group come before them. */
  readonly groups?: readonly AttributeGroup[];
  /** The fetch plan whose attributes are the first columns of lists. */
  readonly listPlan?: string;
}
