module.exports = globalThis.moduleOfTheWorker('ajv/dist/2020.js');
