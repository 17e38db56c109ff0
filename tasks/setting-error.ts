/** A setting that a task cannot do. */
export interface SettingError {
  readonly tag: 'badSetting'
  readonly setting: string
  readonly value: unknown
  readonly rule: string
}

/** Nothing where a rule holds, which goes on from the setting's name: `is a share from 0 to 1`. */
export const ruled = (holds: boolean, setting: string, value: unknown, rule: string): readonly SettingError[] =>
  holds ? [] : [{ tag: 'badSetting', setting, value, rule }]

export const isShare = (x: number): boolean => x >= 0 && x <= 1
export const isWhole = (x: number, from: number, to: number): boolean => Number.isInteger(x) && x >= from && x <= to

/** A setting, the rule that it breaks, and what to do. */
export const renderSettingError = ({ setting, value, rule }: SettingError): string =>
  `${setting} = ${JSON.stringify(value)} in the task's settings\n  because: ${setting} ${rule}\n  try: change it, or leave it out for the default`
