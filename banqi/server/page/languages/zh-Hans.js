export const texts = {
};

export default texts;
