module.exports = globalThis.moduleOfTheWorker('ajv-formats');
