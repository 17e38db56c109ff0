/** Colours that people who see few of them tell apart, too. */
export const colors = { blue: '#4269d0', orange: '#e8871a', green: '#3ca951', red: '#d8504d', violet: '#9467bd', grey: '#8a8f98' } as const

export const inOrder: readonly string[] = [colors.blue, colors.orange, colors.green, colors.violet, colors.red, colors.grey]
