export * as countdown from './countdown.js'
