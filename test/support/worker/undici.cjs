module.exports = globalThis.moduleOfTheWorker('undici');
