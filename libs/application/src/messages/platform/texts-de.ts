import type { TextKey } from './texts.ts';

/** The platform's own texts in German. */
export const TEXTS_DE: Readonly<Record<TextKey, string>> = {
  'sys/StandardEntity.id': 'ID',
  'sys/StandardEntity.version': 'Version',
  'sys/StandardEntity.createdDate': 'Angelegt am',
  'sys/StandardEntity.createdBy': 'Angelegt von',
  'sys/StandardEntity.lastModifiedDate': 'Zuletzt geändert am',
  'sys/StandardEntity.lastModifiedBy': 'Zuletzt geändert von',
  'sys/StandardEntity.deletedDate': 'Gelöscht am',
  'sys/StandardEntity.deletedBy': 'Gelöscht von',

  'sec/User': 'Benutzer',
  'sec/User.username': 'Benutzername',
  'sec/User.password': 'Passwort',
  'sec/User.firstName': 'Vorname',
  'sec/User.lastName': 'Nachname',
  'sec/User.email': 'E-Mail',
  'sec/User.active': 'Aktiv',
  'sec/User.locale': 'Sprache',
  'sec/User.timeZoneId': 'Zeitzone',
  'sec/User.country': 'Land',
  'sec/RoleAssignment': 'Rollenzuweisung',
  'sec/RoleAssignment.username': 'Benutzername',
  'sec/RoleAssignment.roleCode': 'Rollencode',
  'sec/RoleAssignment.roleType': 'Rollenart',

  'jakarta.validation.constraints.NotNull.message': 'darf nicht leer sein',
  'jakarta.validation.constraints.NotBlank.message': 'muss Text enthalten',
  'jakarta.validation.constraints.Size.message': 'Größe muss zwischen {min} und {max} liegen',
  'jakarta.validation.constraints.Pattern.message': 'muss dem Muster "{regexp}" entsprechen',
  'jakarta.validation.constraints.Email.message': 'ist keine gültige E-Mail-Adresse',
  'jakarta.validation.constraints.Digits.message':
    'Zahl liegt außerhalb der Grenzen (<{integer} {integer, plural, one {Stelle} other {Stellen}}>.<{fraction} {fraction, plural, one {Stelle} other {Stellen}}> erwartet)',
  'jakarta.validation.constraints.DecimalMin.message':
    'muss größer {inclusive, select, true {oder gleich } other {als }}{value} sein',
  'jakarta.validation.constraints.DecimalMax.message':
    'muss kleiner {inclusive, select, true {oder gleich } other {als }}{value} sein',
  'jakarta.validation.constraints.Positive.message': 'muss größer als 0 sein',
  'jakarta.validation.constraints.Negative.message': 'muss kleiner als 0 sein',
  'jakarta.validation.constraints.Past.message': 'muss in der Vergangenheit liegen',
  'jakarta.validation.constraints.PastOrPresent.message': 'muss in der Vergangenheit oder Gegenwart liegen',
  'jakarta.validation.constraints.Future.message': 'muss in der Zukunft liegen',
  'jakarta.validation.constraints.FutureOrPresent.message': 'muss in der Zukunft oder Gegenwart liegen',
};
