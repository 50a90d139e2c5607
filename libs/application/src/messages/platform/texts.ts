/**
 * The platform's own texts in English: captions of its entities and the default texts of validation
 * (contract-entities-queries-services.md §3.12), in ICU message syntax. The other languages have the same keys.
 */
export const TEXTS = {
  'sys/StandardEntity.id': 'ID',
  'sys/StandardEntity.version': 'Version',
  'sys/StandardEntity.createdDate': 'Created date',
  'sys/StandardEntity.createdBy': 'Created by',
  'sys/StandardEntity.lastModifiedDate': 'Last modified date',
  'sys/StandardEntity.lastModifiedBy': 'Last modified by',
  'sys/StandardEntity.deletedDate': 'Deleted date',
  'sys/StandardEntity.deletedBy': 'Deleted by',

  'sec/User': 'User',
  'sec/User.username': 'User name',
  'sec/User.password': 'Password',
  'sec/User.firstName': 'First name',
  'sec/User.lastName': 'Last name',
  'sec/User.email': 'E-mail',
  'sec/User.active': 'Active',
  'sec/User.locale': 'Language',
  'sec/User.timeZoneId': 'Time zone',
  'sec/User.country': 'Country',
  'sec/RoleAssignment': 'Role assignment',
  'sec/RoleAssignment.username': 'User name',
  'sec/RoleAssignment.roleCode': 'Role code',
  'sec/RoleAssignment.roleType': 'Role type',

  'jakarta.validation.constraints.NotNull.message': 'may not be null',
  'jakarta.validation.constraints.NotBlank.message': 'must not be blank',
  'jakarta.validation.constraints.Size.message': 'size must be between {min} and {max}',
  'jakarta.validation.constraints.Pattern.message': 'must match "{regexp}"',
  'jakarta.validation.constraints.Email.message': 'not a well-formed email address',
  'jakarta.validation.constraints.Digits.message':
    'numeric value out of bounds (<{integer} {integer, plural, one {digit} other {digits}}>.<{fraction} {fraction, plural, one {digit} other {digits}}> expected)',
  'jakarta.validation.constraints.DecimalMin.message':
    'must be greater than {inclusive, select, true {or equal to } other {}}{value}',
  'jakarta.validation.constraints.DecimalMax.message':
    'must be less than {inclusive, select, true {or equal to } other {}}{value}',
  'jakarta.validation.constraints.Positive.message': 'must be greater than 0',
  'jakarta.validation.constraints.Negative.message': 'must be less than 0',
  'jakarta.validation.constraints.Past.message': 'must be in the past',
  'jakarta.validation.constraints.PastOrPresent.message': 'must be in the past or in the present',
  'jakarta.validation.constraints.Future.message': 'must be in the future',
  'jakarta.validation.constraints.FutureOrPresent.message': 'must be in the future or in the present',
} as const satisfies Readonly<Record<string, string>>;

export type TextKey = keyof typeof TEXTS;
