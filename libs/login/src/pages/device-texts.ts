/** Texts of the pages on which a user connects a device, such as a command-line tool (RFC 8628 §3.3). */
export interface DeviceTexts {
  readonly title: string;
  readonly intro: string;
  readonly code: string;
  readonly next: string;
  readonly confirmTitle: (client: string) => string;
  readonly confirmIntro: (client: string) => string;
  readonly confirmCode: string;
  readonly confirmScopes: (client: string) => string;
  readonly confirmWarning: string;
  readonly connect: string;
  readonly refuse: string;
  readonly doneTitle: string;
  readonly done: (client: string) => string;
  readonly problems: Readonly<Record<DeviceProblem, string>>;
}

/** Why the page of the code is shown again. */
export type DeviceProblem = 'wrong' | 'expired' | 'used' | 'refused' | 'too-many' | 'failed';

const en: DeviceTexts = {
  title: 'Connect a device',
  intro: 'Enter the code that the device or program shows.',
  code: 'Code',
  next: 'Continue',
  confirmTitle: (client) => `Connect ${client}?`,
  confirmIntro: (client) => `${client} will have access in your name. It shows this code:`,
  confirmCode: 'Code',
  confirmScopes: (client) => `${client} will be able to`,
  confirmWarning: 'Refuse if somebody sent you this code, or if your device shows another one.',
  connect: 'Connect',
  refuse: 'Refuse',
  doneTitle: 'Connected',
  done: (client) => `${client} is connected. You can close this page.`,
  problems: {
    wrong: 'There is no such code. Check it, or start again on the device.',
    expired: 'This code has expired. Start again on the device.',
    used: 'This code has been used. Start again on the device.',
    refused: 'The device was not connected.',
    'too-many': 'Too many attempts. Try again later.',
    failed: 'The device was not connected. Start again on the device.',
  },
};

const de: DeviceTexts = {
  title: 'Gerät verbinden',
  intro: 'Geben Sie den Code ein, den das Gerät oder Programm anzeigt.',
  code: 'Code',
  next: 'Weiter',
  confirmTitle: (client) => `${client} verbinden?`,
  confirmIntro: (client) => `${client} erhält Zugriff in Ihrem Namen und zeigt diesen Code:`,
  confirmCode: 'Code',
  confirmScopes: (client) => `${client} kann dann`,
  confirmWarning: 'Lehnen Sie ab, wenn Ihnen jemand diesen Code geschickt hat oder Ihr Gerät einen anderen zeigt.',
  connect: 'Verbinden',
  refuse: 'Ablehnen',
  doneTitle: 'Verbunden',
  done: (client) => `${client} ist verbunden. Sie können diese Seite schließen.`,
  problems: {
    wrong: 'Diesen Code gibt es nicht. Prüfen Sie ihn, oder beginnen Sie am Gerät von vorn.',
    expired: 'Dieser Code ist abgelaufen. Beginnen Sie am Gerät von vorn.',
    used: 'Dieser Code wurde schon benutzt. Beginnen Sie am Gerät von vorn.',
    refused: 'Das Gerät wurde nicht verbunden.',
    'too-many': 'Zu viele Versuche. Bitte versuchen Sie es später.',
    failed: 'Das Gerät wurde nicht verbunden. Beginnen Sie am Gerät von vorn.',
  },
};

const zh: DeviceTexts = {
  title: '连接设备',
  intro: '请输入设备或程序显示的代码。',
  code: '代码',
  next: '继续',
  confirmTitle: (client) => `连接 ${client}？`,
  confirmIntro: (client) => `${client} 将以您的名义进行访问，并显示以下代码：`,
  confirmCode: '代码',
  confirmScopes: (client) => `${client} 将可以`,
  confirmWarning: '如果此代码是他人发给您的，或您的设备显示的是其他代码，请拒绝。',
  connect: '连接',
  refuse: '拒绝',
  doneTitle: '已连接',
  done: (client) => `${client} 已连接。您可以关闭此页面。`,
  problems: {
    wrong: '没有此代码。请检查，或在设备上重新开始。',
    expired: '此代码已过期。请在设备上重新开始。',
    used: '此代码已被使用。请在设备上重新开始。',
    refused: '设备未连接。',
    'too-many': '尝试次数过多，请稍后再试。',
    failed: '设备未连接。请在设备上重新开始。',
  },
};

const TEXTS: Readonly<Record<string, DeviceTexts>> = { en, de, 'zh-CN': zh };

/** The texts in a language of the login pages; English where there are none. */
export const deviceTexts = (language: string): DeviceTexts => TEXTS[language] ?? en;
