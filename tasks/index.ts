export * as countdown from './countdown/index.js'
